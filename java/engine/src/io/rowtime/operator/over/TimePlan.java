package io.rowtime.operator.over;

import io.rowtime.operator.AppliedCall;
import io.rowtime.operator.ProjectedColumns;
import io.rowtime.operator.Stage;
import io.rowtime.operator.calls.Calls;
import io.rowtime.operator.spec.Bound;
import io.rowtime.operator.spec.BoundClock;
import io.rowtime.operator.spec.Call;
import io.rowtime.operator.spec.OverSpec;
import io.rowtime.operator.spec.Window;
import io.rowtime.state.KeyColumns;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.types.StructType;

/** The plan of a {@link TimeStage}: its frames, and the columns that they need. */
final class TimePlan {
  final ProjectedColumns columns;
  final UnsafeProjection key;
  final List<TimeFrame> frames = new ArrayList<>();
  final int outputs;
  /** How far ahead the frames look. */
  final long delay;
  /** Whether the log is not needed any more when the bound is far enough past the last row. */
  final boolean expires;
  private final int time;
  /** Null if no bound of the time follows from the watermark. */
  private final BoundClock clock;
  final int closes;
  private final long span;

  /** @param outputs the names of all results of this stage, in order */
  TimePlan(OverSpec spec, List<Window> windows, List<String> outputs, StructType schema) {
    columns = new ProjectedColumns(schema);
    key = KeyColumns.of(spec.partition(), schema);
    this.outputs = outputs.size();
    time = schema.fieldIndex(spec.time());
    clock = spec.boundClock();
    closes = spec.closes() == null ? -1 : schema.fieldIndex(spec.closes());
    long following = 0;
    long back = 0;
    for (Window window : windows) {
      TimeFrame.Lower lower = lower(window, closes >= 0);
      int column = lower == TimeFrame.Lower.WHEN_CLOSED ? columns.index(spec.closes()) : -1;
      TimeFrame frame = new TimeFrame(window, lower, column);
      for (Call call : window.calls()) {
        int output = outputs.indexOf(call.name());
        frame.calls.add(AppliedCall.of(call, columns, output, lower != TimeFrame.Lower.NEVER, true, List.of()));
      }
      frames.add(frame);
      following = Math.max(following, window.upper().distance());
      back = Math.max(back, -window.lower().distance());
    }
    delay = following;
    span = back;
    // A frame that rows never leave may still have to add rows.
    expires = clock != null && windows.stream().allMatch(window -> window.upper().distance() >= 0
        || window.lower().kind() != Bound.Kind.UNBOUNDED_PRECEDING || closes >= 0);
  }

  private static TimeFrame.Lower lower(Window window, boolean closes) {
    if (window.lower().kind() != Bound.Kind.UNBOUNDED_PRECEDING) {
      return TimeFrame.Lower.BY_TIME;
    }
    boolean small = window.calls().stream().allMatch(call -> Calls.isSmall(call.function(), call.distinct()));
    if (!closes && !small) {
      throw new UnsupportedOperationException("The state of " + window.calls().get(0).function()
          + " OVER (… UNBOUNDED PRECEDING) on a stream has no limit where its partitions never close");
    }
    // A row that enters the frame after its partition is complete would find no state.
    return closes && (!small || window.upper().distance() < 0) ? TimeFrame.Lower.WHEN_CLOSED : TimeFrame.Lower.NEVER;
  }

  /** Returns when no frame of a later row can contain this row or an earlier one, in microseconds of the watermark. */
  long expires(UnsafeRow row) {
    long expires = clock.reaches(row.getLong(time) + span + 1) - 1;
    return closes >= 0 ? Math.max(expires, row.getLong(closes)) : expires;
  }

  /**
   * Returns the watermark at which a row's frame is complete: when the bound has passed its upper end, or the row's
   * partition is complete.
   */
  long complete(UnsafeRow row) {
    long passed = clock == null ? Stage.NEVER : clock.reaches(row.getLong(time) + delay + 1);
    return closes >= 0 ? Math.min(passed, row.getLong(closes)) : passed;
  }

  /** Returns the watermark at which all rows of a row's partition have been emitted. */
  long emitted(UnsafeRow row) {
    long complete = row.getLong(closes);
    return delay == 0 || clock == null ? complete : clock.later(complete, delay + 1);
  }
}
