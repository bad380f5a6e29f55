package io.rowtime.plan.rewrite;

import io.rowtime.plan.monotone.StreamingNodes;
import io.rowtime.plan.origin.Origins;
import io.rowtime.plan.rel.LookupJoin;
import io.rowtime.plan.rel.Plans;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.AsofJoin;
import org.apache.calcite.rel.core.Join;

/** Makes {@link LookupJoin}s of the joins of a streaming plan that have a stream on one side and a relation on the other. */
final class LookupJoins {
  private LookupJoins() {}

  static RelNode replace(RelNode plan, Origins origins) {
    if (Plans.nodes(plan).noneMatch(Join.class::isInstance)) {
      return plan;
    }
    StreamingNodes streams = StreamingNodes.of(plan, true);
    return origins.rewrite(plan, (original, node) -> original instanceof Join join ? lookup(join, (Join) node, streams) : node);
  }

  /** @param original a join as {@code streams} knows it; {@code join} is the same over inputs that have been rewritten */
  private static RelNode lookup(Join original, Join join, StreamingNodes streams) {
    boolean left = streams.contains(original.getLeft());
    // What a query's own plan has found stays as it is when the query is planned into a target.
    if (left == streams.contains(original.getRight()) || join instanceof LookupJoin || join instanceof AsofJoin
        || LookupJoin.preservesRelation(join.getJoinType(), left)) {
      return join;
    }
    return new LookupJoin(join.getLeft(), join.getRight(), join.getCondition(), join.getJoinType(), left);
  }
}
