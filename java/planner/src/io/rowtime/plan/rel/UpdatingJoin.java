package io.rowtime.plan.rel;

import java.util.List;
import java.util.Set;
import java.util.function.Function;
import org.apache.calcite.plan.RelTraitSet;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Join;
import org.apache.calcite.rel.core.JoinRelType;
import org.apache.calcite.rex.RexNode;

/**
 * A join of two whole streams, or of results that change, below TO_CHANGELOG. Nothing limits when a match arrives, so all rows of both
 * inputs are kept. A row of the result can be retracted, unless rows of the inputs cannot and a match only adds rows.
 */
public final class UpdatingJoin extends Join implements ChangingRows {
  public UpdatingJoin(Join join) {
    this(join.getCluster().traitSet(), join.getLeft(), join.getRight(), join.getCondition(), join.getJoinType());
  }

  private UpdatingJoin(RelTraitSet traits, RelNode left, RelNode right, RexNode condition, JoinRelType type) {
    super(left.getCluster(), traits, List.of(), left, right, condition, Set.of(), type);
  }

  @Override public String keeps(Function<List<Integer>, String> names) {
    return "all rows of both inputs, by the join's keys: nothing limits when a match arrives";
  }

  @Override public UpdatingJoin copy(RelTraitSet traits, RexNode condition, RelNode newLeft, RelNode newRight, JoinRelType type,
      boolean semiJoinDone) {
    return new UpdatingJoin(traits, newLeft, newRight, condition, type);
  }

  /** Returns whether rows that are added to the inputs only add rows to a join. In others, a row without a match goes when one arrives. */
  public static boolean onlyAdds(JoinRelType type) {
    return type == JoinRelType.INNER || type == JoinRelType.SEMI;
  }

  /** Returns the equalities of the condition, and the rest of it. */
  public JoinKeys keys() {
    return JoinKeys.of(getLeft(), getRight(), getCondition());
  }
}
