package io.rowtime.microbatch;

import java.io.DataOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import net.razorvine.pickle.Pickler;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.execution.python.EvaluatePython;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;

/**
 * Pickles, each a tuple of rows after its length (four bytes, most significant first). A row is a tuple of values in
 * the form from which PySpark's types make Python values.
 */
final class PickleFormat implements RowFormat {
  private static final long serialVersionUID = 1L;
  private static final int ROWS = 1000;

  private final boolean binaryAsBytes;

  /** @param binaryAsBytes whether a BINARY value is {@code bytes} in Python, and not a {@code bytearray} */
  PickleFormat(boolean binaryAsBytes) {
    this.binaryAsBytes = binaryAsBytes;
  }

  @Override public Iterator<byte[]> pieces(StructType columns, Iterator<InternalRow> rows) {
    EvaluatePython.registerPicklers();
    StructField[] fields = columns.fields();
    return new Iterator<>() {
      @Override public boolean hasNext() {
        return rows.hasNext();
      }

      @Override public byte[] next() {
        List<Object[]> taken = new ArrayList<>();
        while (taken.size() < ROWS && rows.hasNext()) {
          taken.add(values(rows.next(), fields));
        }
        try {
          return new Pickler(true, false).dumps(taken.toArray());
        } catch (IOException e) {
          throw new UncheckedIOException(e);
        }
      }
    };
  }

  private Object[] values(InternalRow row, StructField[] fields) {
    Object[] values = new Object[fields.length];
    for (int i = 0; i < fields.length; i++) {
      values[i] = row.isNullAt(i) ? null
          : EvaluatePython.toJava(row.get(i, fields[i].dataType()), fields[i].dataType(), binaryAsBytes);
    }
    return values;
  }

  @Override public void write(StructType columns, byte[][] pieces, OutputStream out) throws IOException {
    DataOutputStream framed = new DataOutputStream(out);
    for (byte[] piece : pieces) {
      framed.writeInt(piece.length);
      framed.write(piece);
    }
    framed.flush();
  }
}
