package io.rowtime.plan.physical;

import io.rowtime.catalog.CatalogObject;
import io.rowtime.plan.monotone.NodeOrder;
import io.rowtime.plan.monotone.OrderAnalysis;
import io.rowtime.plan.monotone.StreamingNodes;
import io.rowtime.plan.rel.IntervalJoin;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Aggregate;
import org.apache.calcite.rel.core.Filter;
import org.apache.calcite.rel.core.Project;
import org.apache.calcite.rel.logical.LogicalAggregate;
import org.apache.calcite.rel.logical.LogicalProject;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexUtil;
import org.apache.calcite.sql.type.SqlTypeUtil;

/**
 * Removes DISTINCT, or a GROUP BY without functions, below a join of streams: the join itself drops duplicates. Its
 * state contains the rows of each time anyway, while each aggregation would keep them in another state behind another
 * shuffle.
 */
final class DistinctInputs {
  private DistinctInputs() {}

  /** Returns the same join without the aggregations that it can replace; returns the join itself if there are none. */
  static IntervalJoin of(IntervalJoin join) {
    if (join.leftInterval().rows() > 0 || join.rightInterval().rows() > 0) {
      // Windows of ROWS count every row that arrives.
      return join;
    }
    RelNode left = rows(join.getLeft());
    RelNode right = rows(join.getRight());
    return left == null && right == null ? join : join.distinct(left == null ? join.getLeft() : left, left != null,
        right == null ? join.getRight() : right, right != null);
  }

  /** Returns the rows whose duplicates the input removes; null if it does not remove duplicates. */
  private static RelNode rows(RelNode input) {
    RelNode rows = repeatedInput(input);
    return rows != null && sameTime(input, rows) ? rows : null;
  }

  private static RelNode repeatedInput(RelNode rel) {
    if (rel instanceof LogicalAggregate aggregate) {
      return isDistinct(aggregate) ? groups(aggregate) : null;
    }
    if (rel instanceof Project project) {
      return keepsAll(project) ? over(project) : null;
    }
    return rel instanceof Filter filter && RexUtil.isDeterministic(filter.getCondition()) ? over(filter) : null;
  }

  private static RelNode over(RelNode rel) {
    RelNode below = repeatedInput(rel.getInput(0));
    return below == null ? null : rel.copy(rel.getTraitSet(), List.of(below));
  }

  /** Returns whether the groups only have keys, and keys are equal exactly if their bytes are. */
  private static boolean isDistinct(Aggregate aggregate) {
    return aggregate.getGroupType() == Aggregate.Group.SIMPLE && aggregate.getAggCallList().isEmpty()
        && aggregate.getRowType().getFieldList().stream().allMatch(field -> hasOneForm(field.getType()));
  }

  private static boolean hasOneForm(RelDataType type) {
    return SqlTypeUtil.isExactNumeric(type) || SqlTypeUtil.inCharFamily(type) || SqlTypeUtil.isBinary(type)
        || SqlTypeUtil.isDatetime(type) || SqlTypeUtil.isInterval(type) || SqlTypeUtil.isBoolean(type);
  }

  /** Returns the rows of the groups; null if the groups have no ROWTIME among their keys. */
  private static RelNode groups(Aggregate aggregate) {
    RelNode input = aggregate.getInput();
    List<RexNode> keys = aggregate.getGroupSet().asList().stream().<RexNode>map(key -> RexInputRef.of(key, input.getRowType())).toList();
    List<String> names = new ArrayList<>(aggregate.getRowType().getFieldNames());
    int rowtime = order(aggregate).rowtime();
    if (rowtime < 0) {
      return null;
    }
    // The name makes it the ROWTIME of the rows, as it is the ROWTIME of the groups.
    names.set(rowtime, CatalogObject.ROWTIME);
    return LogicalProject.create(input, List.of(), keys, names, Set.of());
  }

  private static NodeOrder order(RelNode rel) {
    return new OrderAnalysis(StreamingNodes.of(rel, true)).of(rel);
  }

  /** Returns whether rows that differ still differ after the projection. */
  private static boolean keepsAll(Project project) {
    return project.getProjects().stream().allMatch(RexUtil::isDeterministic) && Determinants.determineInput(project)
        && project.getRowType().getFieldList().stream().allMatch(field -> hasOneForm(field.getType()));
  }

  /**
   * Returns whether the rows have the ROWTIME and clock of the groups; otherwise a group is complete at another time.
   */
  private static boolean sameTime(RelNode groups, RelNode rows) {
    NodeOrder before = order(groups);
    NodeOrder after = order(rows);
    return before.rowtime() == after.rowtime() && before.hasClock() && before.clock().equals(after.clock());
  }
}
