package io.rowtime.plan.rewrite;

import io.rowtime.plan.monotone.StreamingNodes;
import io.rowtime.plan.origin.Origins;
import io.rowtime.plan.rel.LookupJoin;
import io.rowtime.plan.rel.Plans;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.AsofJoin;
import org.apache.calcite.rel.core.Join;

/** Replaces joins of a stream with a relation in a streaming plan by {@link LookupJoin}s. */
final class LookupJoins {
  private LookupJoins() {}

  static RelNode replace(RelNode plan, Origins origins) {
    if (Plans.nodes(plan).noneMatch(Join.class::isInstance)) {
      return plan;
    }
    StreamingNodes streams = StreamingNodes.of(plan, true);
    return origins.rewrite(plan, (original, node) -> original instanceof Join join ? lookup(join, (Join) node, streams) : node);
  }

  /** @param original the join as {@code streams} contains it; {@code join} is the same join over rewritten inputs */
  private static RelNode lookup(Join original, Join join, StreamingNodes streams) {
    boolean left = streams.contains(original.getLeft());
    // When the query is planned into a target, joins that its own plan has replaced stay unchanged.
    if (left == streams.contains(original.getRight()) || join instanceof LookupJoin || join instanceof AsofJoin
        || LookupJoin.preservesRelation(join.getJoinType(), left)) {
      return join;
    }
    return new LookupJoin(join.getLeft(), join.getRight(), join.getCondition(), join.getJoinType(), left);
  }
}
