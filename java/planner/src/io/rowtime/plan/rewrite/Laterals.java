package io.rowtime.plan.rewrite;

import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Aggregate;
import org.apache.calcite.rel.core.Correlate;
import org.apache.calcite.rel.core.JoinRelType;
import org.apache.calcite.rel.core.Project;
import org.apache.calcite.rel.core.TableFunctionScan;

/**
 * Checks and prepares queries on the right side of a join that refer to the row on the left (LATERAL), before they
 * become joins.
 */
final class Laterals {
  private Laterals() {}

  /** Returns whether there are any that can become joins. */
  static boolean any(RelNode rel) {
    return rel instanceof Correlate correlate && becomesJoin(correlate.getRight()) || rel.getInputs().stream().anyMatch(Laterals::any);
  }

  /** Returns whether there are any that cannot, so that the plan must stay unchanged. */
  static boolean anyOther(RelNode rel) {
    return rel instanceof Correlate correlate && !becomesJoin(correlate.getRight()) || rel.getInputs().stream().anyMatch(Laterals::anyOther);
  }

  /**
   * Returns whether the right side becomes a join. A table function is called for each row. An aggregate without GROUP
   * BY has a row even if it counts nothing, which Calcite's decorrelation handles only if the aggregate is the top
   * node.
   */
  private static boolean becomesJoin(RelNode right) {
    RelNode below = belowProjects(right);
    return ofAll(below) ? below.getInputs().stream().noneMatch(Laterals::anyCall) : !anyCall(below);
  }

  private static boolean anyCall(RelNode rel) {
    return rel instanceof TableFunctionScan || ofAll(rel) || rel.getInputs().stream().anyMatch(Laterals::anyCall);
  }

  private static boolean ofAll(RelNode rel) {
    return rel instanceof Aggregate aggregate && aggregate.getGroupSet().isEmpty();
  }

  private static RelNode belowProjects(RelNode rel) {
    return rel instanceof Project project ? belowProjects(project.getInput()) : rel;
  }

  /** If the right side always has one row, each left row is kept: a LEFT join tells Calcite so. */
  static RelNode prepare(RelNode rel) {
    if (!(rel instanceof Correlate correlate) || correlate.getJoinType() != JoinRelType.INNER || !ofAll(belowProjects(correlate.getRight()))) {
      return rel;
    }
    RelNode kept = correlate.copy(correlate.getTraitSet(), correlate.getLeft(), correlate.getRight(), correlate.getCorrelationId(),
        correlate.getRequiredColumns(), JoinRelType.LEFT);
    return RelOptUtil.createCastRel(kept, correlate.getRowType(), true);
  }
}
