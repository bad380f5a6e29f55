package io.rowtime.plan.rel;

import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.calcite.plan.RelOptCluster;
import org.apache.calcite.plan.RelTraitSet;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.RelWriter;
import org.apache.calcite.rel.SingleRel;

/** Drops rows of a view that are late by the LATENESS statements for its columns. */
public final class LatenessFilter extends SingleRel {
  private final Map<Integer, BigDecimal> amounts;

  /** @param amounts the lateness by column index: milliseconds for a time, else a number */
  public LatenessFilter(RelOptCluster cluster, RelTraitSet traits, RelNode input, Map<Integer, BigDecimal> amounts) {
    super(cluster, traits, input);
    this.amounts = new TreeMap<>(amounts);
  }

  public Map<Integer, BigDecimal> amounts() {
    return amounts;
  }

  @Override public RelNode copy(RelTraitSet traits, List<RelNode> inputs) {
    return new LatenessFilter(getCluster(), traits, inputs.get(0), amounts);
  }

  @Override public RelWriter explainTerms(RelWriter writer) {
    return super.explainTerms(writer).item("lateness", amounts);
  }
}
