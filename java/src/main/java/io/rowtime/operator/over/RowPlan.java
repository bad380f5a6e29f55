package io.rowtime.operator.over;

import io.rowtime.operator.AppliedCall;
import io.rowtime.operator.ProjectedColumns;
import io.rowtime.operator.RowOrder;
import io.rowtime.operator.calls.Calls;
import io.rowtime.operator.spec.Bound;
import io.rowtime.operator.spec.Call;
import io.rowtime.operator.spec.Order;
import io.rowtime.operator.spec.OverSpec;
import io.rowtime.operator.spec.Window;
import io.rowtime.state.KeyColumns;
import io.rowtime.state.NaturalMergeSort;
import io.rowtime.state.values.Chunk;
import io.rowtime.state.values.ValueType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;

/** What a {@link RowStage} has to do: its frames, the order of rows, and the columns that are needed. */
final class RowPlan {
  final StructType schema;
  final ProjectedColumns columns;
  final UnsafeProjection key;
  final List<RowFrame> frames = new ArrayList<>();
  final List<RowFrame> saved;
  final int outputs;
  /** How many later rows a row waits for. */
  final long ahead;
  /** Whether rows have to be kept at all. */
  final boolean keeps;
  final int closes;
  /** How long after the time in {@link #closes} rows of a partition may still come. */
  final long grace;
  final int time;
  final int seq;
  private final List<Order> order;
  private final int[] keys;

  /**
   * @param windows windows of one ORDER BY, over ROWS
   * @param outputs names of all results of this stage, in the order in which they come out
   */
  RowPlan(OverSpec spec, List<Window> windows, List<String> outputs, StructType schema, long grace) {
    this.schema = schema;
    this.columns = new ProjectedColumns(schema);
    this.key = KeyColumns.of(spec.partition(), schema);
    this.outputs = outputs.size();
    this.grace = grace;
    this.time = schema.fieldIndex(spec.time());
    this.seq = spec.seq() == null ? -1 : schema.fieldIndex(spec.seq());
    closes = spec.closes() == null ? -1 : schema.fieldIndex(spec.closes());
    List<Order> all = windows.get(0).order();
    order = all.subList(Math.min(1, all.size()), all.size());
    keys = order.stream().mapToInt(further -> columns.index(further.column())).toArray();
    for (Window window : windows) {
      boolean saves = saves(window);
      RowFrame frame = new RowFrame(window, saves);
      for (Call call : window.calls()) {
        frame.calls.add(AppliedCall.of(call, columns, outputs.indexOf(call.name()), !saves, true, order));
      }
      frames.add(frame);
    }
    saved = frames.stream().filter(frame -> frame.saved).toList();
    ahead = frames.stream().mapToLong(RowFrame::ahead).max().orElse(0);
    keeps = frames.stream().anyMatch(frame -> !frame.isDirect());
  }

  private boolean saves(Window window) {
    if (window.lower().kind() != Bound.Kind.UNBOUNDED_PRECEDING) {
      return false;
    }
    boolean small = window.calls().stream().allMatch(call -> Calls.isSmall(call.function(), call.distinct()));
    if (!small && closes < 0) {
      throw new UnsupportedOperationException("The state of " + window.calls().get(0).function()
          + " OVER (… ROWS UNBOUNDED PRECEDING) on a stream has no limit where its partitions never close");
    }
    return small;
  }

  /** The columns that are kept of a row; behind them, where rows wait, the row itself. */
  ValueType[] types() {
    ValueType[] types = columns.types();
    if (ahead == 0) {
      return types;
    }
    types = Arrays.copyOf(types, types.length + 1);
    types[types.length - 1] = ValueType.of(DataTypes.BinaryType);
    return types;
  }

  /** The rows of a batch in the order of the windows, which is that of time and, among peers, of further columns. */
  int[] order(Chunk batch) {
    return NaturalMergeSort.sort(batch.rows, (left, right) -> {
      if (batch.times[left] != batch.times[right]) {
        return batch.times[left] < batch.times[right];
      }
      int compared = RowOrder.compare(order, keys, batch, left, right);
      return compared < 0 || compared == 0 && left < right;
    });
  }

  boolean hasFurtherOrder() {
    return !order.isEmpty();
  }
}
