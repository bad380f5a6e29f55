package io.rowtime.plan.monotone;

import io.rowtime.plan.clock.ClockStep;
import io.rowtime.plan.rel.TopN;
import java.util.List;
import java.util.stream.Stream;

/** Top-N emits rows when their partition is complete, or else in no order. The order of the ranks is unknown. */
final class TopNOrder implements RelOrder<TopN> {

  @Override public NodeOrder derive(TopN rows, List<NodeOrder> inputs) {
    if (rows.partitions() != TopN.Partitions.END) {
      return NodeOrder.relation(rows.getRowType().getFieldCount());
    }
    NodeOrder input = inputs.get(0);
    PartitionClosing closing = new PartitionClosing(input);
    int key = closing.key(rows.partition());
    // By another clock of the sources, a partition may never be complete.
    List<ClockStep> delay = key < 0 ? null : closing.waiting(key);
    List<ClockStep> clock = delay == null ? null : Stream.concat(input.clock().stream(), delay.stream()).toList();
    return WindowOrder.afterWaiting(input, input.append(rows.ranks().size()), clock).sorted(closing.behind(key));
  }
}
