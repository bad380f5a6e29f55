package io.rowtime.lateness;

import io.rowtime.state.RowBuffer;
import io.rowtime.state.SortedRun;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.apache.spark.api.java.function.MapPartitionsFunction;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import org.apache.spark.sql.types.StructType;

/** Sorts the rows of a task by a timestamp, rows without one first; the sort is stable. */
record TimeOrder(StructType schema, int time) implements MapPartitionsFunction<InternalRow, InternalRow> {
  @Override public Iterator<InternalRow> call(Iterator<InternalRow> rows) {
    UnsafeProjection binary = UnsafeProjection.create(schema);
    List<SortedRun> runs = new ArrayList<>();
    long arrived = 0;
    while (rows.hasNext()) {
      RowBuffer buffer = new RowBuffer(arrived);
      do {
        InternalRow row = rows.next();
        buffer.add(row.isNullAt(time) ? Long.MIN_VALUE : row.getLong(time), binary.apply(row));
      } while (rows.hasNext() && !buffer.isFull());
      arrived += buffer.rows();
      runs.add(buffer.toRun());
    }
    return SortedRun.merge(runs, schema.length());
  }
}
