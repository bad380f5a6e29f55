package io.rowtime.plan.rewrite;

import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Aggregate;
import org.apache.calcite.rel.core.Correlate;
import org.apache.calcite.rel.core.JoinRelType;
import org.apache.calcite.rel.core.Project;
import org.apache.calcite.rel.core.TableFunctionScan;

/** Queries on the right of a join that refer to the row on the left (LATERAL), before they become joins. */
final class Laterals {
  private Laterals() {}

  /** Whether there are any that can become joins. */
  static boolean any(RelNode rel) {
    return rel instanceof Correlate correlate && becomesJoin(correlate.getRight()) || rel.getInputs().stream().anyMatch(Laterals::any);
  }

  /** Whether there are any that cannot, so that the plan has to stay as it is. */
  static boolean anyOther(RelNode rel) {
    return rel instanceof Correlate correlate && !becomesJoin(correlate.getRight()) || rel.getInputs().stream().anyMatch(Laterals::anyOther);
  }

  /**
   * A table function is called for each row. An aggregate without GROUP BY has a row also where it counts nothing, which Calcite's
   * decorrelation forgets unless it stands on top.
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

  /** What always has one row on the right keeps each row on the left: as a LEFT join Calcite knows that. */
  static RelNode prepared(RelNode rel) {
    if (!(rel instanceof Correlate correlate) || correlate.getJoinType() != JoinRelType.INNER || !ofAll(belowProjects(correlate.getRight()))) {
      return rel;
    }
    RelNode kept = correlate.copy(correlate.getTraitSet(), correlate.getLeft(), correlate.getRight(), correlate.getCorrelationId(),
        correlate.getRequiredColumns(), JoinRelType.LEFT);
    return RelOptUtil.createCastRel(kept, correlate.getRowType(), true);
  }
}
