package io.rowtime.operator.over;

import io.rowtime.aggregate.AggregateFunction;
import io.rowtime.operator.ProjectedColumns;
import io.rowtime.operator.calls.Calls;
import io.rowtime.operator.spec.Bound;
import io.rowtime.operator.spec.Call;
import io.rowtime.operator.spec.UpdatingOverSpec;
import io.rowtime.operator.spec.Window;
import io.rowtime.state.values.Chunk;
import io.rowtime.state.values.Values;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.StructType;

/** The calls of windows over sections of partitions whose rows are in order. */
final class PartitionFrames {
  /** More rows than any partition has. */
  private static final long ALL = Long.MAX_VALUE / 4;

  private final int width;
  private final ProjectedColumns columns;
  private final List<WholeFrame> frames = new ArrayList<>();
  private final List<DataType> types = new ArrayList<>();
  /** How many rows before a row, and after it, its frames can have. */
  private long before;
  private long after;

  PartitionFrames(UpdatingOverSpec spec, StructType schema) {
    width = schema.length();
    columns = new ProjectedColumns(schema);
    for (Window window : spec.windows()) {
      for (Call call : window.calls()) {
        frames.add(new WholeFrame(window, call, columns, frames.size()));
        types.add(Calls.type(call));
        extend(window, call);
      }
    }
  }

  private void extend(Window asked, Call call) {
    Window rows = FramePlan.overRows(asked, call);
    Window window = rows == null ? asked : rows;
    boolean whole = AggregateFunction.reads(call.function()) == AggregateFunction.Reads.PARTITION;
    // A RANGE to the current row has the same rows as ROWS, as all of them are in an order without peers.
    boolean counted = window.rows() || window.lower().isUnbounded() && window.upper().kind() == Bound.Kind.CURRENT_ROW;
    before = Math.max(before, whole || !counted || window.lower().kind() == Bound.Kind.UNBOUNDED_PRECEDING ? ALL : -window.lower().distance());
    after = Math.max(after, whole || !counted || window.upper().kind() == Bound.Kind.UNBOUNDED_FOLLOWING ? ALL : window.upper().distance());
  }

  /** Returns how far the rows are from a changed one that it affects, or that are in the frames of those. */
  long reach() {
    return Math.min(ALL, before + after);
  }

  ChangedValues values() {
    return new ChangedValues(width, types);
  }

  /** Rows in order, some of which are changed; first come those before them, backwards. */
  static final class Section {
    private final List<byte[]> rows = new ArrayList<>();
    private int firstChanged;
    private int endChanged;

    /** Adds a row several times; returns how many rows there are. */
    int add(byte[] row, long times) {
      rows.addAll(Collections.nCopies(Math.toIntExact(times), row));
      return rows.size();
    }

    int size() {
      return rows.size();
    }

    /** Says that all rows so far are before the changed ones. */
    void startChanged() {
      Collections.reverse(rows);
      firstChanged = rows.size();
      endChanged = rows.size();
    }

    /** Says that rows up to here are changed. */
    void endChanged() {
      endChanged = rows.size();
    }
  }

  /** Adds the rows of a section that a change can affect, with their values. */
  void evaluate(Section section, long times, ChangedValues to) {
    int count = section.size();
    if (count == 0) {
      return;
    }
    Chunk chunk = new Chunk(columns.types(), count);
    UnsafeRow view = new UnsafeRow(width);
    for (byte[] row : section.rows) {
      view.pointTo(row, row.length);
      columns.read(view, chunk, chunk.add(0, 0));
    }
    int[] all = IntStream.range(0, count).toArray();
    Values[] results = new Values[frames.size()];
    for (WholeFrame frame : frames) {
      results[frame.output] = frame.begin(count);
      frame.evaluate(chunk, all);
    }
    long end = Math.min(count, section.endChanged + before);
    for (int i = (int) Math.max(0, section.firstChanged - after); i < end; i++) {
      to.add(section.rows.get(i), results, i, times);
    }
  }
}
