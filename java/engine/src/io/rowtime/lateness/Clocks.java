package io.rowtime.lateness;

import java.util.Base64;
import java.util.List;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.unsafe.Platform;

/** The clocks of all lateness columns, in order. */
final class Clocks {
  private final StructType types;
  private final Clock[] clocks;

  /** @param types the types of the columns' thresholds */
  Clocks(StructType types, List<LatenessColumn> columns) {
    this.types = types;
    this.clocks = new Clock[columns.size()];
    for (int i = 0; i < clocks.length; i++) {
      clocks[i] = Clock.of(types.apply(i).dataType(), columns.get(i).decreasing());
    }
  }

  Clock get(int column) {
    return clocks[column];
  }

  /** Advances to those clocks in {@code text} that are ahead. */
  void advance(String text) {
    byte[] bytes = Base64.getDecoder().decode(text);
    UnsafeRow row = new UnsafeRow(clocks.length);
    row.pointTo(bytes, Platform.BYTE_ARRAY_OFFSET, bytes.length);
    for (int i = 0; i < clocks.length; i++) {
      clocks[i].move(row, i);
    }
  }

  /** Returns the clocks as text for {@link #advance}. */
  String text() {
    Object[] values = new Object[clocks.length];
    for (int i = 0; i < values.length; i++) {
      values[i] = clocks[i].get();
    }
    InternalRow row = new GenericInternalRow(values);
    return Base64.getEncoder().encodeToString(UnsafeProjection.create(types).apply(row).getBytes());
  }
}
