package io.rowtime.plan.monotone;

import io.rowtime.plan.clock.ClockStep;
import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.rel.core.SetOp;

/**
 * UNION ALL merges by ROWTIME, so only columns that follow from the branches' clocks keep their order: two counters,
 * one in each branch, are not increasing together. The bound of the result is the least of the branches' bounds.
 */
final class UnionOrder implements RelOrder<SetOp> {

  @Override public NodeOrder derive(SetOp union, List<NodeOrder> inputs) {
    NodeOrder first = inputs.get(0);
    List<ClockStep> clock = first.clock();
    for (NodeOrder input : inputs) {
      clock = ClockStep.least(clock, input.clock());
    }
    boolean sameColumn = inputs.stream().allMatch(i -> i.rowtime() == first.rowtime());
    int rowtime = sameColumn && clock != null ? first.rowtime() : -1;
    boolean sameClock = clock != null && inputs.stream().allMatch(i -> i.clock().equals(first.clock()));
    List<FieldOrder> fields = new ArrayList<>();
    for (int i = 0; i < first.fields().size(); i++) {
      fields.add(i == rowtime ? mergedOrder(clock) : sameClock ? common(inputs, i) : FieldOrder.NONE);
    }
    return new NodeOrder(fields, clock, rowtime);
  }

  private static FieldOrder mergedOrder(List<ClockStep> clock) {
    // The merge waits for the bound, so rows that arrived out of order within their lateness leave it in order.
    return FieldOrder.byClock(clock, 0, 0);
  }

  private static FieldOrder common(List<NodeOrder> inputs, int index) {
    FieldOrder first = inputs.get(0).fields().get(index);
    for (NodeOrder input : inputs) {
      FieldOrder order = input.fields().get(index);
      if (!order.derivesFromRowtime() || !order.steps().equals(first.steps())) {
        return FieldOrder.NONE;
      }
    }
    // The merge puts rows in order of ROWTIME, so only what is past the clock by varying amounts goes back.
    long spread = inputs.stream().map(NodeOrder::sorted).mapToLong(input -> input.fields().get(index).disorder()).max().orElse(0);
    return FieldOrder.byClock(first.steps(), spread, spread);
  }
}
