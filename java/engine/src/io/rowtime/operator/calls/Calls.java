package io.rowtime.operator.calls;

import io.rowtime.operator.spec.Call;
import io.rowtime.aggregate.AggregateFunction;
import io.rowtime.state.values.ValueType;
import org.apache.spark.sql.types.DataType;

/** Creates the aggregate for a function. */
public final class Calls {
  private Calls() {}

  /** Returns the type of a call's result. */
  public static DataType type(Call call) {
    return DataType.fromDDL(call.type());
  }

  /** Returns whether a function needs only a few values of state if rows never leave its frame. */
  public static boolean isSmall(String function, boolean distinct) {
    return AggregateFunction.named(function).keeps() == AggregateFunction.Keeps.TOTAL && !(distinct && countsRepeats(function));
  }

  /**
   * Returns whether it matters to a function that a value occurs twice. Functions that depend on the order of their rows
   * find the repeated values themselves.
   */
  public static boolean countsRepeats(String function) {
    AggregateFunction known = AggregateFunction.named(function);
    return known.repeats() && known.peers() == AggregateFunction.Peers.ANY_ORDER;
  }

  /**
   * @param column the index of the argument in chunks, or -1
   * @param type the argument's type, or null
   * @param removes whether rows leave the frame
   * @throws UnsupportedOperationException for an unknown function
   */
  public static Aggregate aggregate(Call call, int column, ValueType type, ValueType result, boolean removes) {
    String function = call.function();
    if (call.distinct() && countsRepeats(function)) {
      return new Distinct(aggregate(call.withRepeats(), column, type, result, removes), column);
    }
    boolean ignoreNulls = call.ignoreNulls();
    return switch (function) {
      case "COUNT" -> new Count(column);
      case "SUM" -> sum(column, type, result);
      case "MIN", "MAX" -> removes ? new MovingMinMax(column, type, function.equals("MAX"))
          : new MinMax(column, type, function.equals("MAX"));
      case "FIRST_VALUE", "ANY_VALUE" -> new NthValue(column, type, 1, ignoreNulls, removes);
      case "NTH_VALUE" -> new NthValue(column, type, Math.toIntExact(call.number()), ignoreNulls, removes);
      case "LAST_VALUE" -> new LastValue(column, type, ignoreNulls);
      case "VAR_POP" -> new Variance(column, false, false);
      case "VAR_SAMP" -> new Variance(column, true, false);
      case "STDDEV_POP" -> new Variance(column, false, true);
      case "STDDEV_SAMP" -> new Variance(column, true, true);
      case "MEDIAN" -> new Percentile(column, type, result, 0.5, true);
      case "PERCENTILE_CONT" -> new Percentile(column, type, result, call.fraction(), true);
      case "PERCENTILE_DISC" -> new Percentile(column, type, result, call.fraction(), false);
      case "COLLECT" -> new Collect(column, type, call.distinct(), null);
      case "LISTAGG" -> new Collect(column, type, call.distinct(), call.separator());
      default -> throw new UnsupportedOperationException(function + " OVER on a stream is not supported");
    };
  }

  private static Aggregate sum(int column, ValueType type, ValueType result) {
    return type.isFloating() ? new NumberSum(column)
        : type.isObject() ? new BigSum(column, type, result)
        : new WholeSum(column, type, result);
  }
}
