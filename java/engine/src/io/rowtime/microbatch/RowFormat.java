package io.rowtime.microbatch;

import java.io.IOException;
import java.io.OutputStream;
import java.io.Serializable;
import java.util.Iterator;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.types.StructType;

/** The form in which rows reach the Python process. */
interface RowFormat extends Serializable {
  /** Returns the bytes of the rows of a task, in pieces. */
  Iterator<byte[]> pieces(StructType columns, Iterator<InternalRow> rows);

  /** Writes the pieces of all tasks. */
  void write(StructType columns, byte[][] pieces, OutputStream out) throws IOException;
}
