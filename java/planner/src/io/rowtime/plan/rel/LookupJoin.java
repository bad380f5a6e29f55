package io.rowtime.plan.rel;

import java.util.List;
import java.util.Set;
import org.apache.calcite.plan.RelTraitSet;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.RelWriter;
import org.apache.calcite.rel.core.Join;
import org.apache.calcite.rel.core.JoinRelType;
import org.apache.calcite.rex.RexNode;

/**
 * A join of a stream with a relation: each row of the stream is joined with the rows that the relation has when the
 * stream's row is processed.
 */
public final class LookupJoin extends Join {
  private final boolean streamOnLeft;

  public LookupJoin(RelNode left, RelNode right, RexNode condition, JoinRelType type, boolean streamOnLeft) {
    this(left.getCluster().traitSet(), left, right, condition, type, streamOnLeft);
  }

  private LookupJoin(RelTraitSet traits, RelNode left, RelNode right, RexNode condition, JoinRelType type,
      boolean streamOnLeft) {
    super(left.getCluster(), traits, List.of(), left, right, condition, Set.of(), type);
    this.streamOnLeft = streamOnLeft;
  }

  @Override public LookupJoin copy(RelTraitSet traits, RexNode condition, RelNode newLeft, RelNode newRight, JoinRelType type,
      boolean semiJoinDone) {
    return new LookupJoin(traits, newLeft, newRight, condition, type, streamOnLeft);
  }

  @Override public RelWriter explainTerms(RelWriter writer) {
    return super.explainTerms(writer).item("stream", streamOnLeft ? "left" : "right");
  }

  public boolean streamOnLeft() {
    return streamOnLeft;
  }

  /** Returns the input that is a relation. */
  public RelNode relation() {
    return streamOnLeft ? getRight() : getLeft();
  }

  /**
   * Returns whether a join of this type emits unmatched rows of the relation. In a stream, a row can never be known to
   * stay unmatched.
   */
  public static boolean preservesRelation(JoinRelType type, boolean streamOnLeft) {
    return streamOnLeft ? type.generatesNullsOnLeft() : type.generatesNullsOnRight() || !type.projectsRight();
  }
}
