package io.rowtime.plan.physical;

import io.rowtime.plan.rel.SessionAggregate;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Aggregate;
import org.apache.calcite.rel.core.AggregateCall;
import org.apache.calcite.rel.core.Filter;
import org.apache.calcite.rel.core.Join;
import org.apache.calcite.rel.core.JoinRelType;
import org.apache.calcite.rel.core.Project;
import org.apache.calcite.rel.core.Sort;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexUtil;
import org.apache.calcite.util.ImmutableBitSet;

/**
 * Groups the sessions of a relation by those of their keys only that are no constants, which are added to the result. Spark puts
 * the value of a constant in the place of the key, and then does not find the key if a function is DISTINCT.
 */
final class ConstantKeys {
  private ConstantKeys() {}

  /** Returns the same groups; the aggregate itself, if no key but the time is a constant. */
  static RelNode without(SessionAggregate aggregate) {
    Map<Integer, RexNode> constants = new TreeMap<>();
    for (int key : aggregate.getGroupSet().clear(aggregate.timeKey())) {
      RexNode value = value(aggregate.getInput(), key);
      if (value != null) {
        constants.put(key, value);
      }
    }
    return constants.isEmpty() ? aggregate : grouped(aggregate, constants);
  }

  private static RelNode grouped(SessionAggregate aggregate, Map<Integer, RexNode> constants) {
    ImmutableBitSet keys = aggregate.getGroupSet().except(ImmutableBitSet.of(constants.keySet()));
    List<AggregateCall> calls = aggregate.getAggCallList();
    RelNode groups = SessionAggregate.create(aggregate.getInput(), keys, calls, aggregate.timeKey(), aggregate.gap());
    RexBuilder rex = aggregate.getCluster().getRexBuilder();
    List<RexNode> results = new ArrayList<>();
    for (int key : aggregate.getGroupSet()) {
      results.add(constants.containsKey(key) ? constants.get(key) : rex.makeInputRef(groups, keys.indexOf(key)));
    }
    for (int call = 0; call < calls.size(); call++) {
      results.add(rex.makeInputRef(groups, keys.cardinality() + call));
    }
    return TypedProject.of(groups, results, aggregate.getRowType());
  }

  /** Returns the value of a column, if it is an expression without columns; otherwise null. */
  private static RexNode value(RelNode rel, int column) {
    if (rel instanceof Project project) {
      RexNode expr = project.getProjects().get(column);
      return expr instanceof RexInputRef ref ? value(project.getInput(), ref.getIndex())
          : RexUtil.isConstant(expr) && RexUtil.isDeterministic(expr) ? expr : null;
    }
    if (rel instanceof Filter || rel instanceof Sort) {
      return value(rel.getInput(0), column);
    }
    if (rel instanceof Aggregate aggregate) {
      boolean isKey = aggregate.getGroupType() == Aggregate.Group.SIMPLE && column < aggregate.getGroupCount();
      return isKey ? value(aggregate.getInput(), aggregate.getGroupSet().nth(column)) : null;
    }
    if (rel instanceof Join join && (join.getJoinType() == JoinRelType.INNER || !join.getJoinType().projectsRight())) {
      int left = join.getLeft().getRowType().getFieldCount();
      return column < left ? value(join.getLeft(), column) : value(join.getRight(), column - left);
    }
    return null;
  }
}
