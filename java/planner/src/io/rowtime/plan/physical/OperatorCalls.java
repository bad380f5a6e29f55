package io.rowtime.plan.physical;

import io.rowtime.aggregate.AggregateFunction;
import io.rowtime.aggregate.AggregateFunction.Constant;
import io.rowtime.plan.node.ComputedCalls.Kind;
import io.rowtime.plan.node.ComputedCalls.Result;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexUtil;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.sql.type.SqlTypeUtil;

/**
 * Maps the calls of a node to calls of one of rowtime's operators, and their results to the node's values: AVG is
 * computed as SUM and COUNT, sums are exact, and partial results from before the shuffle are merged after it.
 */
public final class OperatorCalls {
  /** A call of the query; {@code filter} is null if all rows count. */
  public record RequestedCall(String function, List<RexNode> args, boolean distinct, boolean ignoreNulls, RexNode filter, RelDataType type) {}

  /** @param type the type that the value is cast to; null for no cast */
  public record Argument(RexNode value, RelDataType type) {}

  /**
   * A call of the operator.
   *
   * @param number the constant number of LAG, LEAD, NTH_VALUE and NTILE; null for others, as are the next two
   * @param fraction the fraction of a percentile
   * @param separator the separator of LISTAGG
   * @param filter true for rows that count; null if all do
   * @param combinedBy the function that combines rows before the shuffle; null if they are not combined
   */
  public record Call(String function, List<Argument> args, RelDataType type, Long number, Double fraction, String separator,
      boolean distinct, boolean ignoreNulls, RexNode filter, String combinedBy) {}

  private static final int MAX_DIGITS = 38;
  private static final Set<String> SPREADS = Set.of("STDDEV_POP", "STDDEV_SAMP", "VAR_POP", "VAR_SAMP");
  /** Functions whose result is one of their argument values. */
  private static final Set<String> OF_VALUES =
      Set.of("MIN", "MAX", "FIRST_VALUE", "LAST_VALUE", "NTH_VALUE", "LAG", "LEAD", "ANY_VALUE", "PERCENTILE_DISC");

  private final RexBuilder rex;
  private final List<Call> calls = new ArrayList<>();
  private final List<Result> results = new ArrayList<>();

  public OperatorCalls(RexBuilder rex) {
    this.rex = rex;
  }

  /**
   * Returns whether the arguments that must be the same for all rows are constant: a number of rows, which fits an
   * INTEGER; a fraction; a separator.
   */
  public static boolean hasConstants(String function, List<RexNode> args) {
    String computed = AggregateFunction.named(function).operator();
    int place = constantArgument(computed, args.size());
    if (place < 0 || place >= args.size()) {
      return true;
    }
    if (!(args.get(place) instanceof RexLiteral literal)) {
      return false;
    }
    if (AggregateFunction.constant(computed) == Constant.SEPARATOR) {
      return literal.isNull() || SqlTypeUtil.isCharacter(literal.getType());
    }
    return !literal.isNull() && (AggregateFunction.constant(computed) != Constant.NUMBER || isRows(literal.getValueAs(BigDecimal.class), computed));
  }

  private static boolean isRows(BigDecimal number, String function) {
    boolean whole = number.stripTrailingZeros().scale() <= 0 && number.abs().compareTo(BigDecimal.valueOf(Integer.MAX_VALUE)) <= 0;
    return whole && (function.equals("LAG") || function.equals("LEAD") || number.signum() > 0);
  }

  /** Returns the index of the argument that must be constant; -1 if there is none. */
  private static int constantArgument(String function, int args) {
    Constant constant = AggregateFunction.constant(function);
    return constant == null ? -1 : constant == Constant.FRACTION ? args - 1 : function.equals("NTILE") ? 0 : 1;
  }

  public List<Call> calls() {
    return calls;
  }

  /** Returns the results, in the order of the node's calls. */
  public List<Result> results() {
    return results;
  }

  /** Adds a call over the rows of a frame. */
  public void addOver(RequestedCall requested) {
    add(requested, (function, type, argumentType) -> {
      SplitArguments given = splitArguments(requested, function, argumentType);
      return given.call(function, given.args, type, requested.distinct, requested.ignoreNulls, null);
    });
  }

  /**
   * Adds a call over the rows of a group; {@code combines} is true if calls that are not DISTINCT combine rows before
   * the shuffle.
   */
  public void addOfGroup(RequestedCall requested, boolean combines) {
    add(requested, (function, type, argumentType) -> {
      SplitArguments given = splitArguments(requested, function, argumentType);
      if (requested.distinct && AggregateFunction.named(requested.function).repeats()) {
        Argument value = given.args.get(0);
        RexNode counted = requested.filter == null ? value.value : when(requested.filter, value.value, null);
        return given.call(function, List.of(new Argument(counted, value.type)), type, true, false, null);
      }
      return combines ? mergingCall(requested, function, mergedBy(function), given.args.isEmpty() ? null : given.args.get(0).value, type, true)
          : given.call(function, given.args, type, false, false, requested.filter);
    });
  }

  /**
   * Adds a call over the panes of a window.
   *
   * @param merging the function that merges the results of the panes
   * @param combines whether rows of a pane are combined before the shuffle
   */
  public void addOfPanes(RequestedCall requested, String merging, boolean combines) {
    calls.add(mergingCall(requested, requested.function, merging.replace("SUM0", "SUM"), requested.args.isEmpty() ? null : requested.args.get(0), requested.type,
        combines));
    results.add(new Result(merging.equals("SUM0") ? Kind.VALUE_OR_ZERO : Kind.VALUE, List.of(calls.size() - 1)));
  }

  /** Makes the operator's call of a function, with the given result type, for a call of the query. */
  private interface Computed {
    /** @param argumentType the type that the arguments are cast to; null for no cast */
    Call of(String function, RelDataType type, RelDataType argumentType);
  }

  private void add(RequestedCall requested, Computed computed) {
    AggregateFunction known = AggregateFunction.named(requested.function);
    String function = known.operator();
    // Without an operator it is one that the plan refuses.
    if (known.keeps() == AggregateFunction.Keeps.NOTHING || function == null) {
      results.add(new Result(Kind.GROUPING, List.of()));
      return;
    }
    Kind kind = Kind.VALUE;
    List<Call> made = new ArrayList<>();
    if (function.equals("AVG")) {
      kind = Kind.AVERAGE;
      made.add(computed.of("SUM", total(requested), null));
      made.add(computed.of("COUNT", rex.getTypeFactory().createSqlType(SqlTypeName.BIGINT), null));
    } else if (function.equals("SUM") || function.equals("SUM0")) {
      kind = function.equals("SUM") ? Kind.VALUE : Kind.VALUE_OR_ZERO;
      made.add(computed.of("SUM", total(requested), null));
    } else if (SPREADS.contains(function)) {
      RelDataType number = rex.getTypeFactory().createSqlType(SqlTypeName.DOUBLE);
      made.add(computed.of(function, number, number));
    } else {
      made.add(computed.of(function, OF_VALUES.contains(function) ? requested.args.get(0).getType() : requested.type, null));
    }
    List<Integer> numbers = new ArrayList<>();
    for (Call call : made) {
      numbers.add(calls.size());
      calls.add(call);
    }
    results.add(new Result(kind, numbers));
  }

  /** Returns the type in which a sum is exact: BIGINT for integers, the maximum precision for decimals. */
  private RelDataType total(RequestedCall requested) {
    RelDataType type = requested.args.get(0).getType();
    if (SqlTypeUtil.isDecimal(type)) {
      return rex.getTypeFactory().createSqlType(SqlTypeName.DECIMAL, MAX_DIGITS, type.getScale());
    }
    return rex.getTypeFactory().createSqlType(SqlTypeUtil.isIntType(type) ? SqlTypeName.BIGINT : SqlTypeName.DOUBLE);
  }

  /** The arguments that vary by row, and the constant ones. */
  private record SplitArguments(List<Argument> args, Long number, Double fraction, String separator) {
    Call call(String function, List<Argument> args, RelDataType type, boolean distinct, boolean ignoreNulls, RexNode filter) {
      return new Call(function, args, type, number, fraction, separator, distinct, ignoreNulls, filter, null);
    }
  }

  private SplitArguments splitArguments(RequestedCall requested, String function, RelDataType type) {
    List<RexNode> args = new ArrayList<>(requested.args);
    if (args.size() > 1 && (function.equals("COUNT") || function.equals("SUM"))) {
      // A row counts if none of the arguments is NULL. For SUM, the first argument is the one summed, which skips NULL
      // itself.
      List<RexNode> known = function.equals("COUNT") ? args : args.subList(1, args.size());
      RexNode value = function.equals("COUNT") ? rex.makeExactLiteral(BigDecimal.ONE) : args.get(0);
      RexNode all = RexUtil.composeConjunction(rex, known.stream().map(arg -> rex.makeCall(SqlStdOperatorTable.IS_NOT_NULL, arg)).toList());
      return new SplitArguments(List.of(new Argument(when(all, value, null), type)), null, null, null);
    }
    Long number = null;
    Double fraction = null;
    String separator = null;
    Constant constant = AggregateFunction.constant(function);
    if (constant == Constant.SEPARATOR) {
      // NULL as a separator is the same as an empty text.
      separator = args.size() < 2 ? "," : Objects.requireNonNullElse(RexLiteral.stringValue(args.remove(1)), "");
    } else if (constant == Constant.FRACTION) {
      fraction = ((RexLiteral) args.remove(constantArgument(function, args.size()))).getValueAs(BigDecimal.class).doubleValue();
    } else if (constant == Constant.NUMBER) {
      int place = constantArgument(function, args.size());
      number = args.size() > place ? (Long) ((RexLiteral) args.remove(place)).getValueAs(BigDecimal.class).longValueExact() : (Long) 1L;
    }
    List<Argument> values = new ArrayList<>();
    for (RexNode arg : args) {
      // The default of LAG and LEAD has the type of the values.
      boolean fallback = constant == Constant.NUMBER && !values.isEmpty();
      values.add(new Argument(arg, fallback ? args.get(0).getType() : type));
    }
    return new SplitArguments(values, number, fraction, separator);
  }

  private static String mergedBy(String function) {
    String merging = AggregateFunction.named(function).mergedBy();
    return merging == null ? function : merging;
  }

  /** Makes a call that merges the function's results for single rows, and the partial results of combined rows. */
  private Call mergingCall(RequestedCall requested, String function, String merging, RexNode value, RelDataType type, boolean combines) {
    boolean rows = function.equals("COUNT") && value == null && requested.filter == null;
    return new Call(merging, List.of(new Argument(ofOneRow(function, value, requested.filter), type)), type, null, null, null, false, false,
        null, !combines ? null : rows ? "COUNT" : merging);
  }

  /** Returns the function's result for a single row. */
  private RexNode ofOneRow(String function, RexNode value, RexNode filter) {
    boolean counts = function.equals("COUNT");
    RexNode one = !counts ? value : value == null ? count(1)
        : rex.makeCall(SqlStdOperatorTable.CASE, rex.makeCall(SqlStdOperatorTable.IS_NULL, value), count(0), count(1));
    return filter == null ? one : when(filter, one, counts ? count(0) : null);
  }

  private RexNode count(long rows) {
    return rex.makeExactLiteral(BigDecimal.valueOf(rows), rex.getTypeFactory().createSqlType(SqlTypeName.BIGINT));
  }

  /** @param otherwise null for the value NULL */
  private RexNode when(RexNode condition, RexNode value, RexNode otherwise) {
    return rex.makeCall(SqlStdOperatorTable.CASE, condition, value, otherwise == null ? rex.makeNullLiteral(value.getType()) : otherwise);
  }
}
