package io.rowtime.plan;

import java.util.List;
import java.util.Map;
import org.apache.calcite.plan.RelOptCluster;
import org.apache.calcite.plan.RelTraitSet;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.RelWriter;
import org.apache.calcite.rel.SingleRel;

/** The rows of a view that are not too late by the LATENESS statements for its columns (seed 000). */
public final class LatenessFilter extends SingleRel {
  private final Map<Integer, Long> millis;

  /** @param millis lateness by index of the column */
  public LatenessFilter(RelOptCluster cluster, RelTraitSet traits, RelNode input, Map<Integer, Long> millis) {
    super(cluster, traits, input);
    this.millis = Map.copyOf(millis);
  }

  public Map<Integer, Long> millis() {
    return millis;
  }

  @Override public RelNode copy(RelTraitSet traits, List<RelNode> inputs) {
    return new LatenessFilter(getCluster(), traits, inputs.get(0), millis);
  }

  @Override public RelWriter explainTerms(RelWriter writer) {
    return super.explainTerms(writer).item("lateness", millis);
  }
}
