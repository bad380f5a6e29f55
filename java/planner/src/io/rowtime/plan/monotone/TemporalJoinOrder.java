package io.rowtime.plan.monotone;

import io.rowtime.plan.clock.ClockStep;
import io.rowtime.plan.rel.TemporalJoin;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * Rows of the left input are emitted in their order, each once the bound of the right input has passed the time of its
 * version, or of the next row that it waits for. The output is therefore as far behind as the later of the two inputs.
 */
final class TemporalJoinOrder implements RelOrder<TemporalJoin> {

  @Override public NodeOrder derive(TemporalJoin join, List<NodeOrder> inputs) {
    NodeOrder left = inputs.get(0);
    NodeOrder right = inputs.get(1);
    List<ClockStep> versions = right.hasClock() ? ClockStep.withShift(right.clock(), -join.version().ahead()) : null;
    List<ClockStep> clock = ClockStep.least(left.clock(), versions);
    List<FieldOrder> fields = new ArrayList<>(left.sorted().fields().stream().map(field -> field(field, left, clock)).toList());
    fields.addAll(Collections.nCopies(join.getRight().getRowType().getFieldCount(), FieldOrder.NONE));
    return new NodeOrder(fields, clock, left.rowtime());
  }

  private static FieldOrder field(FieldOrder field, NodeOrder left, List<ClockStep> clock) {
    if (field.monotonicity() == Monotonicity.CONSTANT) {
      return field;
    }
    // The join sorts rows by their ROWTIME: columns that follow from it keep their order, columns in arrival order do
    // not.
    List<ClockStep> steps = field.derivesFromRowtime() && clock != null ? ClockStep.relative(field.steps(), left.clock()) : null;
    if (steps == null) {
      return FieldOrder.NONE;
    }
    List<ClockStep> all = new ArrayList<>(clock);
    all.addAll(steps);
    return field.unstrict().withSteps(all);
  }
}
