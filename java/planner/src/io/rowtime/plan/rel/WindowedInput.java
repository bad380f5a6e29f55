package io.rowtime.plan.rel;

import java.util.List;
import org.apache.calcite.plan.RelOptCluster;
import org.apache.calcite.plan.RelTraitSet;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.RelWriter;
import org.apache.calcite.rel.SingleRel;

/**
 * An input of a join with a window on it: {@code FROM x OVER (RANGE INTERVAL '1' HOUR FOLLOWING)}.
 *
 * @see <a href="https://calcite.apache.org/docs/stream.html">streaming joins</a>
 */
public final class WindowedInput extends SingleRel {

  /** One end of a window: {@code PRECEDING} or {@code FOLLOWING} by an amount, or {@code CURRENT_ROW}. */
  public record Bound(String kind, Long offset) {
    /** How much later than the current row it is, in milliseconds or rows. */
    public long distance() {
      return switch (kind) {
        case "PRECEDING" -> -offset;
        case "FOLLOWING" -> offset;
        default -> 0;
      };
    }
  }

  /** A window: by rows, or by a range of milliseconds. */
  public record Frame(boolean rows, Bound lower, Bound upper) {}

  private final Frame frame;

  public WindowedInput(RelOptCluster cluster, RelTraitSet traits, RelNode input, Frame frame) {
    super(cluster, traits, input);
    this.frame = frame;
  }

  public Frame frame() {
    return frame;
  }

  @Override public RelNode copy(RelTraitSet traits, List<RelNode> inputs) {
    return new WindowedInput(getCluster(), traits, inputs.get(0), frame);
  }

  @Override public RelWriter explainTerms(RelWriter writer) {
    return super.explainTerms(writer).item("frame", frame);
  }
}
