package io.rowtime.microbatch;

import java.io.OutputStream;
import java.util.Arrays;
import java.util.Iterator;
import org.apache.spark.TaskContext;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.execution.arrow.ArrowBatchStreamWriter;
import org.apache.spark.sql.execution.arrow.ArrowConverters$;
import org.apache.spark.sql.types.StructType;
import scala.jdk.javaapi.CollectionConverters;

/** A stream of Arrow's: a schema and record batches. TIMESTAMPs are in UTC. */
final class ArrowFormat implements RowFormat {
  private static final long serialVersionUID = 1L;
  private static final int ROWS = 1 << 16;
  private static final String ZONE = "UTC";

  @Override public Iterator<byte[]> pieces(StructType columns, Iterator<InternalRow> rows) {
    return CollectionConverters.asJava(ArrowConverters$.MODULE$.toBatchIterator(CollectionConverters.asScala(rows),
        columns, ROWS, ZONE, true, false, TaskContext.get()));
  }

  @Override public void write(StructType columns, byte[][] pieces, OutputStream out) {
    ArrowBatchStreamWriter writer = new ArrowBatchStreamWriter(columns, out, ZONE, true, false);
    writer.writeBatches(CollectionConverters.asScala(Arrays.asList(pieces).iterator()));
    writer.end();
  }
}
