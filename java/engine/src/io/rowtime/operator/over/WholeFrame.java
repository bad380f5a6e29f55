package io.rowtime.operator.over;

import io.rowtime.operator.AppliedCall;
import io.rowtime.operator.ProjectedColumns;
import io.rowtime.operator.RowOrder;
import io.rowtime.operator.calls.Calls;
import io.rowtime.operator.spec.Call;
import io.rowtime.operator.spec.Order;
import io.rowtime.operator.spec.Window;
import io.rowtime.state.NaturalMergeSort;
import io.rowtime.state.values.Chunk;
import io.rowtime.state.values.ValueType;
import io.rowtime.state.values.Values;
import java.util.List;

/**
 * Evaluates a call over complete partitions, one after the other, with any order and any frame. Both ends of a frame
 * only move forward.
 */
final class WholeFrame {
  final int output;
  private final List<Order> order;
  private final int[] keys;
  private final FrameEnds ends;
  /** Null for functions of the whole partition. */
  private final AppliedCall applied;
  private final WholeRank rank;
  private final ValueType type;
  private Values results;

  WholeFrame(Window asked, Call call, ProjectedColumns columns, int output) {
    this.output = output;
    Window rows = FramePlan.overRows(asked, call);
    Window window = rows == null ? asked : rows;
    order = window.order();
    keys = order.stream().mapToInt(key -> columns.index(key.column())).toArray();
    rank = WholeRank.of(call);
    ends = rank != null ? null : new FrameEnds(window, keys, columns);
    type = ValueType.of(Calls.type(call));
    applied = rank != null ? null : AppliedCall.of(call, columns, output, true, false, order);
  }

  /** @param rows the number of rows of the chunk for {@link #evaluate}; returns the column for the results */
  Values begin(int rows) {
    if (applied != null) {
      applied.begin(1, rows);
      results = applied.results;
    } else {
      results = new Values(type, rows);
    }
    return results;
  }

  /** @param partition the partition's rows in the chunk, in order of (time, seq) */
  void evaluate(Chunk chunk, int[] partition) {
    int[] places = NaturalMergeSort.sort(partition.length,
        (left, right) -> RowOrder.compare(order, keys, chunk, partition[left], partition[right]) < 0);
    int[] sorted = new int[places.length];
    for (int i = 0; i < sorted.length; i++) {
      sorted[i] = partition[places[i]];
    }
    if (rank != null) {
      rank.evaluate(sorted, (left, right) -> RowOrder.compare(order, keys, chunk, left, right) == 0, results);
      return;
    }
    applied.aggregate.clear(0);
    int added = 0;
    int removed = 0;
    for (int i = 0; i < sorted.length; i++) {
      while (added < sorted.length && ends.isBelowUpper(chunk, sorted, added, i)) {
        applied.add(0, chunk, sorted[added++]);
      }
      while (removed < added && !ends.isAboveLower(chunk, sorted, removed, i)) {
        applied.remove(0, chunk, sorted[removed++]);
      }
      applied.aggregate.result(0, chunk, sorted[i], results, sorted[i]);
    }
  }
}
