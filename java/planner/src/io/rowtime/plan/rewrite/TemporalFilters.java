package io.rowtime.plan.rewrite;

import io.rowtime.plan.clock.RexConstants;
import io.rowtime.plan.clock.TimeSum;
import io.rowtime.plan.monotone.StreamingNodes;
import io.rowtime.plan.origin.Origins;
import io.rowtime.plan.rel.Conjuncts;
import io.rowtime.plan.rel.CurrentTime;
import io.rowtime.plan.rel.Plans;
import io.rowtime.plan.rel.TemporalFilter;
import io.rowtime.plan.rel.TemporalFilter.Limit;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.AsofJoin;
import org.apache.calcite.rel.core.Filter;
import org.apache.calcite.rel.core.Join;
import org.apache.calcite.rel.core.JoinRelType;
import org.apache.calcite.rel.core.Project;
import org.apache.calcite.rel.logical.LogicalFilter;
import org.apache.calcite.rel.logical.LogicalJoin;
import org.apache.calcite.rel.logical.LogicalProject;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexUtil;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.sql.type.SqlTypeUtil;

/**
 * Takes comparisons with the current time out of the conditions of streams, in WHERE and in inner joins, and makes {@link TemporalFilter}s
 * of them: {@code ts > NOW() - INTERVAL '1' DAY} is true until the current time is a day past {@code ts}.
 */
final class TemporalFilters {
  private static final Set<SqlKind> COMPARISONS = Set.of(SqlKind.LESS_THAN, SqlKind.LESS_THAN_OR_EQUAL, SqlKind.GREATER_THAN,
      SqlKind.GREATER_THAN_OR_EQUAL);

  private TemporalFilters() {}

  static RelNode replace(RelNode plan, Origins origins) {
    return hasConditions(plan) ? replace(plan, StreamingNodes.of(plan, true), rel -> true, origins) : plan;
  }

  /**
   * Replaces only conditions in WHERE above joins of a stream with a relation, or with versions of a table: below such a join, they
   * would make rows of the stream change, whose matches would have to be the same when they are retracted.
   */
  static RelNode replaceAboveLookups(RelNode plan, Origins origins) {
    if (!hasConditions(plan)) {
      return plan;
    }
    StreamingNodes streams = StreamingNodes.of(plan, true);
    return replace(plan, streams, rel -> rel instanceof Filter && isLookup(rel.getInput(0), streams), origins);
  }

  private static boolean isLookup(RelNode rel, StreamingNodes streams) {
    return rel instanceof Project || rel instanceof Filter ? isLookup(rel.getInput(0), streams)
        : rel instanceof Join join && (TemporalJoins.isTemporal(join) || join instanceof AsofJoin || !join.getInputs().stream().allMatch(streams::contains));
  }

  private static boolean hasConditions(RelNode plan) {
    return Plans.nodes(plan).anyMatch(rel -> rel instanceof Filter filter && CurrentTime.in(filter.getCondition())
        || rel instanceof Join join && CurrentTime.in(join.getCondition()));
  }

  private static RelNode replace(RelNode plan, StreamingNodes streams, Predicate<RelNode> which, Origins origins) {
    return origins.rewrite(plan, (original, node) -> {
      if (!streams.contains(original) || !which.test(original)) {
        return node;
      }
      if (node instanceof LogicalFilter filter && filter.getVariablesSet().isEmpty()) {
        Parts parts = Parts.of(filter.getCondition(), filter);
        return parts.limits.isEmpty() ? node : parts.above(parts.others.isEmpty() ? filter.getInput() : LogicalFilter.create(filter.getInput(), parts.rest()));
      }
      if (node instanceof LogicalJoin join && join.getJoinType() == JoinRelType.INNER) {
        Parts parts = Parts.of(join.getCondition(), join);
        return parts.limits.isEmpty() ? node
            : parts.above(join.copy(join.getTraitSet(), parts.rest(), join.getLeft(), join.getRight(), join.getJoinType(), join.isSemiJoinDone()));
      }
      return node;
    });
  }

  /** A condition of the form: the current time has reached, or not yet, or has passed, the value of an expression plus so many milliseconds. */
  private record Comparison(RexNode time, long millis, boolean after, boolean enters) {}

  /** The parts of a condition that are limits, and all others. */
  private record Parts(RexBuilder rex, List<Comparison> limits, List<RexNode> others) {
    static Parts of(RexNode condition, RelNode rel) {
      RexBuilder rex = rel.getCluster().getRexBuilder();
      List<Comparison> limits = new ArrayList<>();
      List<RexNode> others = new ArrayList<>();
      for (RexNode part : Conjuncts.of(rex, condition)) {
        Comparison found = CurrentTime.in(part) ? comparison(part) : null;
        if (found == null) {
          others.add(part);
        } else {
          limits.add(found);
        }
      }
      return new Parts(rex, limits, others);
    }

    RexNode rest() {
      return RexUtil.composeConjunction(rex, others);
    }

    /** Returns the rows of a node for which the limits are true. Expressions are columns below the filter. */
    RelNode above(RelNode input) {
      List<RexNode> columns = new ArrayList<>(rex.identityProjects(input.getRowType()));
      List<String> names = new ArrayList<>(input.getRowType().getFieldNames());
      int width = columns.size();
      List<Limit> enters = new ArrayList<>();
      List<Limit> leaves = new ArrayList<>();
      for (Comparison limit : limits) {
        int column = columns.indexOf(limit.time);
        if (column < 0) {
          column = columns.size();
          columns.add(limit.time);
          names.add("$time" + (column - width));
        }
        (limit.enters ? enters : leaves).add(new Limit(column, limit.millis, limit.after));
      }
      if (columns.size() == width) {
        return new TemporalFilter(input, enters, leaves);
      }
      RelNode filter = new TemporalFilter(LogicalProject.create(input, List.of(), columns, names, Set.of()), enters, leaves);
      return LogicalProject.create(filter, List.of(), rex.identityProjects(input.getRowType()), input.getRowType().getFieldNames(), Set.of());
    }
  }

  /** Returns a condition as a limit; null if it is not one. */
  private static Comparison comparison(RexNode part) {
    boolean not = part.isA(SqlKind.NOT);
    RexNode compared = not ? ((RexCall) part).getOperands().get(0) : part;
    if (!compared.isA(COMPARISONS)) {
      return null;
    }
    RexNode left = ((RexCall) compared).getOperands().get(0);
    RexNode right = ((RexCall) compared).getOperands().get(1);
    boolean nowIsLeft = CurrentTime.in(left);
    if (nowIsLeft && CurrentTime.in(right)) {
      return null;
    }
    SqlKind kind = not ? compared.getKind().negateNullSafe() : compared.getKind();
    return comparison(nowIsLeft ? right : left, nowIsLeft ? kind.reverse() : kind, nowIsLeft ? left : right);
  }

  /** Returns {@code value kind now} as a limit; null if it is not one. */
  private static Comparison comparison(RexNode value, SqlKind kind, RexNode now) {
    Long shift = shift(now);
    if (shift != null) {
      return isTime(value) ? limit(value, -shift, kind) : null;
    }
    Long length = RexConstants.millis(value);
    if (length == null || !now.isA(SqlKind.MINUS) || !(now instanceof RexCall difference) || difference.getOperands().size() != 2) {
      return null;
    }
    RexNode later = difference.getOperands().get(0);
    RexNode earlier = difference.getOperands().get(1);
    Long laterShift = shift(later);
    if (laterShift != null && isTime(earlier) && !CurrentTime.in(earlier)) {
      return limit(earlier, length - laterShift, kind);
    }
    Long earlierShift = shift(earlier);
    return earlierShift != null && isTime(later) && !CurrentTime.in(later) ? limit(later, -length - earlierShift, kind.reverse()) : null;
  }

  /** Returns {@code time + millis kind NOW()}. */
  private static Comparison limit(RexNode time, long millis, SqlKind kind) {
    Shifted earlier = Shifted.of(time);
    if (earlier != null) {
      return limit(earlier.time, millis + earlier.millis, kind);
    }
    return switch (kind) {
      case GREATER_THAN -> new Comparison(time, millis, false, false);
      case GREATER_THAN_OR_EQUAL -> new Comparison(time, millis, true, false);
      case LESS_THAN -> new Comparison(time, millis, true, true);
      case LESS_THAN_OR_EQUAL -> new Comparison(time, millis, false, true);
      default -> null;
    };
  }

  private static boolean isTime(RexNode value) {
    return SqlTypeUtil.isDatetime(value.getType()) && value.getType().getSqlTypeName() != SqlTypeName.TIME;
  }

  /** Returns by how many milliseconds an expression is later than the current time; null if it is not a constant number of them. */
  private static Long shift(RexNode now) {
    if (CurrentTime.is(now)) {
      return 0L;
    }
    if (now instanceof RexCall cast && now.isA(SqlKind.CAST)) {
      RexNode value = cast.getOperands().get(0);
      return isTime(value) && keepsMillis(cast, value) ? shift(value) : null;
    }
    Shifted later = Shifted.of(now);
    Long shift = later == null ? null : shift(later.time);
    return shift == null ? null : (Long) (shift + later.millis);
  }

  private static boolean keepsMillis(RexNode cast, RexNode value) {
    return cast.getType().getSqlTypeName() == SqlTypeName.TIMESTAMP && cast.getType().getPrecision() >= value.getType().getPrecision();
  }

  /** A TIMESTAMP and a constant number of milliseconds that are added to it. */
  private record Shifted(RexNode time, long millis) {
    /** Returns what an expression adds to a TIMESTAMP; null if that is no constant. */
    static Shifted of(RexNode value) {
      TimeSum sum = TimeSum.of(value);
      Long length = sum == null || !isTimestamp(value) || !isTimestamp(sum.time()) ? null : RexConstants.millis(sum.interval());
      return length == null ? null : new Shifted(sum.time(), sum.plus() ? length : -length);
    }

    private static boolean isTimestamp(RexNode value) {
      return value.getType().getSqlTypeName() == SqlTypeName.TIMESTAMP;
    }
  }
}
