package io.rowtime.plan.rel;

import java.util.List;
import org.apache.calcite.plan.RelOptCluster;
import org.apache.calcite.plan.RelTraitSet;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.RelWriter;
import org.apache.calcite.rel.SingleRel;
import org.apache.calcite.rel.type.RelDataType;

/**
 * SESSION as a table function: each row with the start and the end of its session as columns after its own. Rows of equal keys are of
 * one session as long as none is more than the gap after the one before it; the session ends one gap after its latest row.
 */
public final class SessionWindows extends SingleRel {
  private final int time;
  private final List<Integer> keys;
  private final long gap;

  /**
   * @param rowType the input's columns, then start and end
   * @param time the field of the input that the gap is measured in; in no row is it NULL
   * @param keys fields of the input
   * @param gap milliseconds
   */
  public SessionWindows(RelOptCluster cluster, RelTraitSet traits, RelNode input, RelDataType rowType, int time, List<Integer> keys, long gap) {
    super(cluster, traits, input);
    this.rowType = rowType;
    this.time = time;
    this.keys = List.copyOf(keys);
    this.gap = gap;
  }

  public int time() {
    return time;
  }

  public List<Integer> keys() {
    return keys;
  }

  public long gap() {
    return gap;
  }

  /** The field of the session's start; that of its end follows. */
  public int start() {
    return getInput().getRowType().getFieldCount();
  }

  @Override public RelNode copy(RelTraitSet traits, List<RelNode> inputs) {
    return new SessionWindows(getCluster(), traits, inputs.get(0), rowType, time, keys, gap);
  }

  @Override public RelWriter explainTerms(RelWriter writer) {
    return super.explainTerms(writer).item("time", time).item("keys", keys).item("gap", gap);
  }
}
