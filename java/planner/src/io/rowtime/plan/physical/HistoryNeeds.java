package io.rowtime.plan.physical;

import io.rowtime.catalog.CatalogObject;
import io.rowtime.plan.clock.RexConstants;
import io.rowtime.plan.rel.Conjuncts;
import io.rowtime.plan.rel.SessionAggregate;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Aggregate;
import org.apache.calcite.rel.core.Filter;
import org.apache.calcite.rel.core.Join;
import org.apache.calcite.rel.core.Project;
import org.apache.calcite.rel.core.SetOp;
import org.apache.calcite.rel.core.Sort;
import org.apache.calcite.rel.core.TableScan;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.type.SqlTypeUtil;
import org.apache.calcite.util.TimestampString;

/**
 * Determines how much of its source's history each scan needs. Conditions that set a lower limit, on ROWTIME or on a
 * column derived from it by a projection or a group, exclude all earlier rows. A scan without such a condition needs
 * the whole history.
 */
public final class HistoryNeeds {
  /** Lower limits of times (ms), by field index: rows with an earlier time do not matter. */
  private record Limits(Map<Integer, Long> times) {
    static final Limits NONE = new Limits(Map.of());

    Limits and(Limits other) {
      Map<Integer, Long> both = new HashMap<>(times);
      other.times.forEach((field, time) -> both.merge(field, time, Math::max));
      return new Limits(both);
    }

    /** Returns the limits of {@code count} fields, starting with {@code first}, which becomes field 0. */
    Limits range(int first, int count) {
      Map<Integer, Long> found = new HashMap<>();
      times.forEach((field, time) -> {
        if (field >= first && field < first + count) {
          found.put(field - first, time);
        }
      });
      return new Limits(found);
    }
  }

  private static final long ALL = Long.MIN_VALUE;

  private final Map<RelNode, Long> needs = new IdentityHashMap<>();

  private HistoryNeeds() {}

  public static HistoryNeeds of(RelNode plan) {
    HistoryNeeds found = new HistoryNeeds();
    found.visit(plan, Limits.NONE);
    return found;
  }

  /**
   * Returns the earliest ROWTIME (ms since 1970) that the query needs of a scan's source; null if it needs all rows.
   */
  public Long of(TableScan scan) {
    Long need = needs.get(scan);
    return need == null || need == ALL ? null : need;
  }

  private void visit(RelNode rel, Limits limits) {
    if (rel instanceof TableScan scan) {
      int rowtime = scan.getRowType().getFieldNames().indexOf(CatalogObject.ROWTIME);
      // A scan that occurs twice in a plan needs the rows of both occurrences.
      needs.merge(scan, limits.times.getOrDefault(rowtime, ALL), Math::min);
    } else if (rel instanceof Join join) {
      int width = join.getLeft().getRowType().getFieldCount();
      visit(join.getLeft(), limits.range(0, width));
      visit(join.getRight(), limits.range(width, join.getRight().getRowType().getFieldCount()));
    } else {
      Limits below = below(rel, limits);
      rel.getInputs().forEach(input -> visit(input, below));
    }
  }

  /**
   * Converts limits of a node's fields to limits of its inputs. A frame or a session may contain rows from before a
   * limit.
   */
  private static Limits below(RelNode rel, Limits limits) {
    if (rel instanceof Filter filter) {
      return limits.and(conditions(filter));
    }
    if (rel instanceof Project project) {
      return belowProject(project, limits);
    }
    if (rel instanceof Aggregate aggregate && !(rel instanceof SessionAggregate)) {
      Map<Integer, Long> keys = new HashMap<>();
      limits.range(0, aggregate.getGroupCount()).times.forEach((key, time) -> keys.put(aggregate.getGroupSet().nth(key), time));
      return new Limits(keys);
    }
    boolean keepsRows = rel instanceof SetOp || rel instanceof Sort sort && sort.fetch == null && sort.offset == null;
    return keepsRows ? limits : Limits.NONE;
  }

  private static Limits belowProject(Project project, Limits limits) {
    Limits found = Limits.NONE;
    for (Map.Entry<Integer, Long> limit : limits.times.entrySet()) {
      found = found.and(inverse(project.getProjects().get(limit.getKey()), limit.getValue()));
    }
    return found;
  }

  private static Limits conditions(Filter filter) {
    return Conjuncts.of(filter.getCluster().getRexBuilder(), filter.getCondition()).stream().map(HistoryNeeds::fromComparison)
        .reduce(Limits.NONE, Limits::and);
  }

  private static Limits fromComparison(RexNode condition) {
    if (!(condition instanceof RexCall call) || call.getOperands().size() != 2) {
      return Limits.NONE;
    }
    RexNode left = call.getOperands().get(0);
    RexNode right = call.getOperands().get(1);
    return switch (call.getKind()) {
      case GREATER_THAN, GREATER_THAN_OR_EQUAL -> notBefore(left, right);
      case LESS_THAN, LESS_THAN_OR_EQUAL -> notBefore(right, left);
      case EQUALS -> notBefore(left, right).and(notBefore(right, left));
      default -> Limits.NONE;
    };
  }

  private static Limits notBefore(RexNode value, RexNode time) {
    Long millis = millis(time);
    return millis == null ? Limits.NONE : inverse(value, millis);
  }

  /** Converts a lower limit of an expression to a limit of the field that it reads. */
  private static Limits inverse(RexNode value, long limit) {
    if (value instanceof RexInputRef ref) {
      return new Limits(Map.of(ref.getIndex(), limit));
    }
    if (!(value instanceof RexCall call) || !SqlTypeUtil.isTimestamp(call.getType())) {
      return Limits.NONE;
    }
    List<RexNode> args = call.getOperands();
    return switch (call.getKind()) {
      // Rounding down never makes a time later.
      case CAST, FLOOR, TUMBLE -> inverse(args.get(0), limit);
      case PLUS, MINUS -> shiftLimit(args, limit, call.getKind() == SqlKind.PLUS ? -1 : 1);
      default -> Limits.NONE;
    };
  }

  private static Limits shiftLimit(List<RexNode> args, long limit, int sign) {
    Long millis = RexConstants.millis(args.get(1));
    return millis == null ? Limits.NONE : inverse(args.get(0), limit + sign * millis);
  }

  private static Long millis(RexNode time) {
    if (!SqlTypeUtil.isTimestamp(time.getType())) {
      return null;
    }
    if (time.isA(SqlKind.CAST)) {
      return millis(((RexCall) time).getOperands().get(0));
    }
    TimestampString value = time instanceof RexLiteral literal ? literal.getValueAs(TimestampString.class) : null;
    return value == null ? null : value.getMillisSinceEpoch();
  }
}
