package io.rowtime.operator.over;

import io.rowtime.operator.OutputBatch;
import io.rowtime.operator.ProjectedColumns;
import io.rowtime.operator.ReorderBuffer;
import io.rowtime.operator.Stage;
import io.rowtime.operator.spec.Call;
import io.rowtime.operator.spec.OverSpec;
import io.rowtime.operator.spec.Window;
import io.rowtime.state.KeyColumns;
import io.rowtime.state.Rows;
import io.rowtime.state.States;
import io.rowtime.state.values.Chunk;
import io.rowtime.state.values.Input;
import io.rowtime.state.values.KeySlots;
import io.rowtime.state.values.Output;
import io.rowtime.state.values.ValueType;
import io.rowtime.state.values.Values;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.types.StructType;

/**
 * Evaluates windows that need whole partitions. The rows of a partition arrive in one call when it is complete, so
 * nothing has to be kept; the {@link ReorderBuffer} has held them.
 */
final class WholeStage implements Stage {
  private final ProjectedColumns columns;
  private final UnsafeProjection key;
  private final List<WholeFrame> frames = new ArrayList<>();
  private final int outputs;

  /** @param outputs the names of all results, in order */
  WholeStage(OverSpec spec, List<String> outputs, StructType schema) {
    columns = new ProjectedColumns(schema);
    key = KeyColumns.of(spec.partition(), schema);
    this.outputs = outputs.size();
    for (Window window : spec.windows()) {
      for (Call call : window.calls()) {
        frames.add(new WholeFrame(window, call, columns, outputs.indexOf(call.name())));
      }
    }
  }

  @Override public void declare(States states) {}

  @Override public void open(States states, Input saved) {}

  @Override public void attach(States states) {}

  @Override public void save(Output to) {}

  @Override public long due() {
    return NEVER;
  }

  @Override public OutputBatch process(Rows rows, long clock) {
    KeySlots keys = new KeySlots();
    ValueType[] types = columns.types();
    Chunk chunk = new Chunk(types, rows.count());
    int[] order = rows.order();
    UnsafeRow row = rows.view();
    for (int i = 0; i < rows.count(); i++) {
      rows.get(order[i], row);
      int at = chunk.add(rows.time(order[i]), keys.slot(key.apply(row)));
      columns.read(row, chunk, at);
    }
    int[][] partitions = partitions(chunk, keys.slots());
    Values[] results = new Values[outputs];
    for (WholeFrame frame : frames) {
      results[frame.output] = frame.begin(chunk.rows);
      for (int[] partition : partitions) {
        frame.evaluate(chunk, partition);
      }
    }
    return new OutputBatch(rows, order, rows.count(), results);
  }

  /** Returns the rows of each partition, in order. */
  private static int[][] partitions(Chunk chunk, int slots) {
    int[] sizes = new int[slots];
    for (int row = 0; row < chunk.rows; row++) {
      sizes[chunk.slots[row]]++;
    }
    int[][] partitions = Arrays.stream(sizes).mapToObj(int[]::new).toArray(int[][]::new);
    Arrays.fill(sizes, 0);
    for (int row = 0; row < chunk.rows; row++) {
      int slot = chunk.slots[row];
      partitions[slot][sizes[slot]++] = row;
    }
    return partitions;
  }
}
