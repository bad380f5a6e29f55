package io.rowtime.plan.meaning;

import io.rowtime.plan.node.Column;
import io.rowtime.plan.node.Operator;
import io.rowtime.plan.node.Place;
import io.rowtime.plan.node.PlanNode;
import io.rowtime.plan.node.PlanOperator;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** Gives UNION ALL of streams the form in which all ways to write it are the same plan. */
final class UnionBranches {
  private UnionBranches() {}

  /** Replaces branches that are UNION ALL themselves by their branches, if these become the same rows. */
  static PlanNode merge(PlanNode union) {
    if (!isMerge(union)) {
      return union;
    }
    List<PlanNode> branches = new ArrayList<>(union.inputs());
    List<Place> origin = new ArrayList<>();
    boolean merged = false;
    for (int i = 0; i < branches.size(); ) {
      PlanNode branch = branches.get(i);
      if (isMerge(branch) && merges(branch) == merges(union) && types(branch).equals(types(union)) && Objects.equals(branch.clock(), union.clock())
          && branch.rowtimeIndex() == union.rowtimeIndex()) {
        branches.remove(i);
        branches.addAll(i, branch.inputs());
        origin.addAll(branch.origin());
        merged = true;
      } else {
        i++;
      }
    }
    return merged ? union.withBranches(branches, origin) : union;
  }

  private static boolean isMerge(PlanNode node) {
    return node.kind() == PlanOperator.UNION && ((Operator.Union) node.operator()).all() && node.streaming();
  }

  private static boolean merges(PlanNode union) {
    return ((Operator.Union) union.operator()).merges();
  }

  private static List<String> types(PlanNode node) {
    return node.columns().stream().map(Column::type).toList();
  }
}
