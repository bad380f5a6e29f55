package io.rowtime.operator.over;

import io.rowtime.operator.AppliedCall;
import io.rowtime.operator.ProjectedColumns;
import io.rowtime.operator.RowOrder;
import io.rowtime.operator.calls.Calls;
import io.rowtime.operator.spec.Bound;
import io.rowtime.operator.spec.BoundClock;
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
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;

/** The plan of a {@link RowStage}: its frames, the order of rows, and the columns that it needs. */
final class RowPlan {
  final StructType schema;
  final ProjectedColumns columns;
  final UnsafeProjection key;
  final List<RowFrame> frames = new ArrayList<>();
  final List<RowFrame> saved;
  final int outputs;
  /** The number of later rows that a row waits for. */
  final long following;
  /** Whether rows have to be kept at all. */
  final boolean keeps;
  final int closes;
  /** How long after the bound at {@link #closes} rows of a partition may still arrive. */
  private final long grace;
  /** Null if no bound of the time follows from the watermark. */
  private final BoundClock clock;
  final int time;
  final int seq;
  private final List<Order> order;
  private final int[] keys;

  /**
   * @param windows windows over ROWS that share one ORDER BY
   * @param outputs the names of all results of this stage, in order
   */
  RowPlan(OverSpec spec, List<Window> windows, List<String> outputs, StructType schema, long grace) {
    this.schema = schema;
    this.columns = new ProjectedColumns(schema);
    this.key = KeyColumns.of(spec.partition(), schema);
    this.outputs = outputs.size();
    this.grace = grace;
    this.clock = spec.boundClock();
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
    following = frames.stream().mapToLong(RowFrame::following).max().orElse(0);
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

  /** Returns the columns that are kept of a row, followed by the whole row if rows wait. */
  ValueType[] types() {
    ValueType[] types = columns.types();
    if (following == 0) {
      return types;
    }
    types = Arrays.copyOf(types, types.length + 1);
    types[types.length - 1] = ValueType.of(DataTypes.BinaryType);
    return types;
  }

  /** Returns the watermark at which no row of a row's partition can arrive any more. */
  long emitted(UnsafeRow row) {
    long complete = row.getLong(closes);
    return clock == null ? complete : clock.later(complete, grace);
  }

  /** Returns the rows of a batch in the order of the windows: by time and, among peers, by further columns. */
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
