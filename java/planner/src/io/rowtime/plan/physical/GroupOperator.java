package io.rowtime.plan.physical;

import io.rowtime.aggregate.AggregateFunction;
import io.rowtime.plan.rel.SessionAggregate;
import java.math.BigDecimal;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.calcite.rel.RelFieldCollation;
import org.apache.calcite.rel.core.Aggregate;
import org.apache.calcite.rel.core.AggregateCall;
import org.apache.calcite.rel.core.Project;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.type.SqlTypeUtil;

/**
 * The implementation of a streaming GROUP BY: Spark's own aggregation, or one of rowtime's operators. The latter are
 * better for sessions, and for functions that keep the values of a group, whose state Spark rewrites as a whole in each
 * micro-batch.
 */
public enum GroupOperator {
  SPARK, GROUPS, SESSIONS;

  /** Returns the operator for a streaming aggregation whose groups close. */
  public static GroupOperator of(Aggregate aggregate) {
    List<AggregateCall> calls = computedCalls(aggregate);
    if (!calls.stream().allMatch(call -> isKnown(aggregate, call))) {
      return SPARK;
    }
    boolean keeps = calls.stream().anyMatch(call -> function(call).keeps() == AggregateFunction.Keeps.VALUES || countsOnce(call));
    if (aggregate instanceof SessionAggregate) {
      // Sessions keep no rows.
      return keeps ? SPARK : SESSIONS;
    }
    return keeps ? GROUPS : SPARK;
  }

  /**
   * Returns whether the calls that are not DISTINCT allow a partial aggregation before the shuffle. A sum of
   * approximate numbers, rounded several times, would depend on which rows are combined.
   */
  public static boolean combines(Aggregate aggregate) {
    return computedCalls(aggregate).stream().filter(call -> !countsOnce(call)).allMatch(call -> {
      boolean sums = Set.of("SUM", "SUM0", "AVG").contains(name(call));
      return function(call).merges() && !(sums && SqlTypeUtil.isApproximateNumeric(type(aggregate, call.getArgList().get(0))));
    });
  }

  /** Returns whether a call can be updated with each further row of a group, from a few values of state, or from its distinct values. */
  public static boolean updates(Aggregate aggregate, AggregateCall call) {
    AggregateFunction function = function(call);
    return function != null && (function.keeps() == AggregateFunction.Keeps.NOTHING
        || isKnown(aggregate, call) && function.keeps() == AggregateFunction.Keeps.TOTAL);
  }

  /** Returns whether a call can take any row back; MIN and MAX can, with all values of a group in order. */
  public static boolean retracts(AggregateCall call) {
    AggregateFunction function = function(call);
    return function != null && (function.keeps() == AggregateFunction.Keeps.NOTHING || function.removable()
        || "MIN".equals(function.operator()) || "MAX".equals(function.operator()));
  }

  /** Returns the name of a function in the plan. */
  public static String name(AggregateCall call) {
    // COUNT's SUM over partial counts of an empty set is 0: Calcite calls that function $SUM0.
    return call.getAggregation() == SqlStdOperatorTable.SUM0 ? "SUM0" : call.getAggregation().getName();
  }

  private static List<AggregateCall> computedCalls(Aggregate aggregate) {
    // GROUPING depends only on the grouping set, not on the rows.
    return aggregate.getAggCallList().stream()
        .filter(call -> function(call) == null || function(call).keeps() != AggregateFunction.Keeps.NOTHING).toList();
  }

  private static AggregateFunction function(AggregateCall call) {
    return AggregateFunction.named(name(call));
  }

  /** Returns whether a call is DISTINCT and would otherwise give another result. */
  private static boolean countsOnce(AggregateCall call) {
    return call.isDistinct() && function(call).repeats();
  }

  private static boolean isKnown(Aggregate aggregate, AggregateCall call) {
    String function = name(call);
    if (!AggregateFunction.runs(function, AggregateFunction.Use.GROUP_STREAM) || call.isDistinct() && call.getArgList().size() != 1) {
      return false;
    }
    if (AggregateFunction.constant(function) == AggregateFunction.Constant.FRACTION && fraction(aggregate, call) == null) {
      return false;
    }
    List<RelFieldCollation> order = call.getCollation().getFieldCollations();
    boolean falls = order.stream().anyMatch(key -> key.getDirection().isDescending());
    if (!order.isEmpty() && (AggregateFunction.constant(function) != AggregateFunction.Constant.FRACTION || falls && function.equals("PERCENTILE_DISC"))) {
      return false;
    }
    return Stream.concat(call.getArgList().stream(), order.stream().map(RelFieldCollation::getFieldIndex))
        .allMatch(field -> canBeKept(type(aggregate, field)));
  }

  /** Returns the constant fraction of a percentile; null if it is not constant. */
  private static BigDecimal fraction(Aggregate aggregate, AggregateCall call) {
    int last = call.getArgList().get(call.getArgList().size() - 1);
    return aggregate.getInput() instanceof Project project && project.getProjects().get(last) instanceof RexLiteral literal
        && SqlTypeUtil.isNumeric(literal.getType()) ? literal.getValueAs(BigDecimal.class) : null;
  }

  private static RelDataType type(Aggregate aggregate, int field) {
    return aggregate.getInput().getRowType().getFieldList().get(field).getType();
  }

  /** Returns whether values of a type can be compared. */
  public static boolean canBeKept(RelDataType type) {
    return SqlTypeUtil.isNumeric(type) || SqlTypeUtil.inCharFamily(type) || SqlTypeUtil.isBinary(type)
        || SqlTypeUtil.isDatetime(type) || SqlTypeUtil.isInterval(type) || SqlTypeUtil.isBoolean(type);
  }
}
