package io.rowtime.plan.rel;

import java.util.List;
import org.apache.calcite.plan.RelOptCluster;
import org.apache.calcite.plan.RelTraitSet;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.RelWriter;
import org.apache.calcite.rel.SingleRel;
import org.apache.calcite.rel.type.RelDataType;

/**
 * SESSION as a table function: appends the start and the end of its session to each row. Rows with equal keys belong to
 * one session if each comes at most one gap after the previous one; the session ends one gap after its latest row.
 */
public final class SessionWindows extends SingleRel {
  private final int time;
  private final List<Integer> keys;
  private final long gap;

  /**
   * @param rowType the input's columns, followed by start and end
   * @param time the field of the input between whose values the gap is measured; never NULL
   * @param keys the fields of the input by which sessions are separated
   * @param gap the gap, in milliseconds
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

  /** Returns the index of the session's start; its end is the next field. */
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
