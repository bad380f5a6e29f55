package io.rowtime.microbatch;

import java.io.BufferedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.Serializable;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.spark.TaskContext;
import org.apache.spark.rdd.RDD;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.types.StructType;
import scala.collection.Iterator;
import scala.jdk.javaapi.CollectionConverters;
import scala.reflect.ClassTag$;
import scala.runtime.AbstractFunction2;

/**
 * Passes micro-batches as bytes, in the order of the partitions. The tasks make the bytes of their rows; if they are
 * many, they go through a file.
 */
final class CollectingSink extends BatchSink {
  /** The number of bytes that one call may pass: py4j passes them as text. */
  private static final int LIMIT = 1 << 18;

  private final RowFormat format;
  private final Path file;

  /** @param file the file for rows that are too many for a call; the receiver deletes it */
  CollectingSink(RowFormat format, Path file, BatchClock clock, BatchReceiver receiver) {
    super(clock, receiver);
    this.format = format;
    this.file = file;
  }

  @Override void pass(long batch, Dataset<Row> rows, BatchReceiver receiver) {
    RDD<InternalRow> computed = OneTask.rows(((org.apache.spark.sql.classic.Dataset<Row>) rows).queryExecution());
    byte[][] pieces = Arrays.stream((byte[][][]) computed.sparkContext().runJob(computed,
        new Pieces(format, rows.schema()), ClassTag$.MODULE$.apply(byte[][].class)))
        .flatMap(Arrays::stream).toArray(byte[][]::new);
    long size = 0;
    for (byte[] piece : pieces) {
      size += piece.length;
    }
    try {
      if (size <= LIMIT) {
        ByteArrayOutputStream out = new ByteArrayOutputStream((int) size + 1024);
        format.write(rows.schema(), pieces, out);
        receiver.take(batch, out.toByteArray(), null);
      } else {
        try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(file), 1 << 16)) {
          format.write(rows.schema(), pieces, out);
        }
        receiver.take(batch, null, file.toString());
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The work of a task. A class, and no lambda: Spark reads the bytecode of lambdas in each micro-batch. */
  private static final class Pieces extends AbstractFunction2<TaskContext, Iterator<InternalRow>, byte[][]>
      implements Serializable {
    private static final long serialVersionUID = 1L;

    private final RowFormat format;
    private final StructType columns;

    Pieces(RowFormat format, StructType columns) {
      this.format = format;
      this.columns = columns;
    }

    @Override public byte[][] apply(TaskContext task, Iterator<InternalRow> rows) {
      List<byte[]> pieces = new ArrayList<>();
      format.pieces(columns, CollectionConverters.asJava(rows)).forEachRemaining(pieces::add);
      return pieces.toArray(byte[][]::new);
    }
  }
}
