package io.rowtime.operator.changelog;

import io.rowtime.operator.OutputBatch;
import io.rowtime.operator.OutputRows;
import io.rowtime.operator.spec.FromChangelogSpec;
import io.rowtime.operator.spec.UpdatingGroupSpec;
import io.rowtime.state.Rows;
import io.rowtime.state.values.ValueType;
import io.rowtime.state.values.Values;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;

/** The output of a batch: rows, and how often each is added or retracted. */
public final class ChangedRows {
  private final Rows rows;
  private final UnsafeRow view;
  private final Values changes = new Values(ValueType.of(DataTypes.LongType), 64);

  /** @param width the number of columns of a row */
  public ChangedRows(int width) {
    rows = new Rows(width);
    view = new UnsafeRow(width);
  }

  /** Returns the columns of the output of FROM_CHANGELOG. */
  static StructType output(FromChangelogSpec spec, StructType input) {
    return columns(spec, input).add(UpdatingGroupSpec.CHANGE, DataTypes.LongType, false);
  }

  /** Returns the columns of a row. */
  static StructType columns(FromChangelogSpec spec, StructType input) {
    return new StructType(spec.columns().stream().map(input::apply).toArray(StructField[]::new));
  }

  public void add(byte[] row, long times) {
    view.pointTo(row, row.length);
    add(view, times);
  }

  public void add(UnsafeRow row, long times) {
    if (times != 0) {
      changes.setLong(rows.add(row, 0, 0), times);
    }
  }

  public Iterator<InternalRow> emit() {
    int[] which = new int[rows.count()];
    Arrays.setAll(which, i -> i);
    return new OutputRows(new OutputBatch(rows, which, which.length, new Values[] {changes}), List.of(DataTypes.LongType));
  }
}
