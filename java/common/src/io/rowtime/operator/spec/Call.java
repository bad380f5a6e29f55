package io.rowtime.operator.spec;

import io.rowtime.aggregate.AggregateFunction;
import java.io.Serializable;
import java.util.List;

/**
 * A call of an aggregate or analytic function.
 *
 * @param name the name of the column with its result
 * @param args the names of the argument columns
 * @param number the offset of LAG and LEAD, n of NTH_VALUE, or the number of tiles of NTILE; null for other functions
 * @param fraction the fraction of a percentile; null for other functions
 * @param separator the separator of LISTAGG; null for other functions
 * @param filter the column that is true for rows that count; null if all do
 * @param type the type of the result, as Spark's DDL
 */
public record Call(String name, String function, List<String> args, @Nullable Long number, @Nullable Double fraction,
    @Nullable String separator, boolean distinct, boolean ignoreNulls, @Nullable String filter, String type) implements Serializable {
  public Call {
    require("number", number != null, AggregateFunction.Constant.NUMBER, function);
    require("fraction", fraction != null, AggregateFunction.Constant.FRACTION, function);
    require("separator", separator != null, AggregateFunction.Constant.SEPARATOR, function);
  }

  private static void require(String field, boolean present, AggregateFunction.Constant argument, String function) {
    boolean needed = AggregateFunction.constant(function) == argument;
    if (present != needed) {
      throw new IllegalArgumentException(function + (needed ? " needs a " : " takes no ") + field);
    }
  }

  /** Creates a plain call, of columns only, over all rows. */
  public Call(String name, String function, List<String> args, String type) {
    this(name, function, args, null, null, null, false, false, null, type);
  }

  /** Returns the same call without arguments. */
  public Call ofRows() {
    return new Call(name, function, List.of(), number, fraction, separator, distinct, ignoreNulls, filter, type);
  }

  /** Returns the same call of another function. */
  public Call with(String other) {
    return new Call(name, other, args, number, fraction, separator, distinct, ignoreNulls, filter, type);
  }

  /** Returns the same call without DISTINCT. */
  public Call withRepeats() {
    return new Call(name, function, args, number, fraction, separator, false, ignoreNulls, filter, type);
  }
}
