package io.rowtime.operator.over;

import io.rowtime.operator.OutputBatch;
import io.rowtime.operator.OutputRows;
import io.rowtime.state.Rows;
import io.rowtime.state.values.Input;
import io.rowtime.state.values.Output;
import io.rowtime.state.values.ValueType;
import io.rowtime.state.values.Values;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;

/** The output of a batch: rows with their values, and how often each is added. What is the same before and after it is left out. */
final class ChangedValues {
  private record Valued(ByteBuffer row, ByteBuffer values) {}

  private final List<DataType> types;
  private final Rows rows;
  private final UnsafeRow view;
  private final Values[] results;
  private final Map<Valued, Long> pending = new LinkedHashMap<>();

  /**
   * @param width the number of columns of a row
   * @param types the types of the values
   */
  ChangedValues(int width, List<DataType> types) {
    this.types = new ArrayList<>(types);
    this.types.add(DataTypes.LongType);
    rows = new Rows(width);
    view = new UnsafeRow(width);
    results = this.types.stream().map(type -> new Values(ValueType.of(type), 64)).toArray(Values[]::new);
  }

  /** Adds the row {@code at} of evaluated ones; {@code times} is below 0 for what was there before. */
  void add(byte[] row, Values[] values, int at, long times) {
    Output bytes = new Output();
    for (Values each : values) {
      each.save(at, bytes);
    }
    Valued valued = new Valued(ByteBuffer.wrap(row), ByteBuffer.wrap(bytes.toBytes()));
    pending.merge(valued, times, (one, other) -> one + other == 0 ? null : one + other);
  }

  /** Says that no more of the changes of a partition come. */
  void next() {
    pending.forEach((valued, times) -> {
      byte[] row = valued.row.array();
      view.pointTo(row, row.length);
      int at = rows.add(view, 0, 0);
      Input from = new Input(valued.values.array());
      for (int i = 0; i < results.length - 1; i++) {
        results[i].load(at, from);
      }
      results[results.length - 1].setLong(at, times);
    });
    pending.clear();
  }

  Iterator<InternalRow> emit() {
    int[] which = new int[rows.count()];
    Arrays.setAll(which, i -> i);
    return new OutputRows(new OutputBatch(rows, which, which.length, results), types);
  }
}
