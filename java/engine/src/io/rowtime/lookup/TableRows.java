package io.rowtime.lookup;

import java.io.Serializable;
import java.util.Iterator;
import java.util.List;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.rdd.RDD;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.storage.StorageLevel;

/** The rows of one version of a relation, read once and kept while micro-batches are joined with them. */
final class TableRows {
  /** The minimum size of a row in bytes: a row without columns has size 0 in Spark's binary format. */
  private static final long MIN_ROW_BYTES = 16;

  private final String version;
  private final JavaRDD<UnsafeRow> rows;
  private final long count;
  private final long bytes;

  private TableRows(String version, JavaRDD<UnsafeRow> rows, long count, long bytes) {
    this.version = version;
    this.rows = rows;
    this.count = count;
    this.bytes = bytes;
  }

  static TableRows of(String version, Dataset<Row> frame) {
    StructType schema = frame.schema();
    JavaRDD<UnsafeRow> rows = frame.queryExecution().toRdd().toJavaRDD()
        .mapPartitions(some -> new Copies(some, UnsafeProjection.create(schema)));
    // Spark's web page on storage shows the name.
    rows.setName("rowtime: table rows, version " + version).persist(StorageLevel.MEMORY_AND_DISK());
    Measure whole = new Measure(0, 0);
    try {
      for (Measure part : rows.mapPartitions(TableRows::measure).collect()) {
        whole = whole.plus(part);
      }
    } catch (RuntimeException | Error fault) {
      rows.unpersist(false);
      throw fault;
    }
    if (whole.rows() > 0) {
      return new TableRows(version, rows, whole.rows(), Math.max(whole.bytes(), whole.rows() * MIN_ROW_BYTES));
    }
    rows.unpersist(false);
    return none(version, frame);
  }

  /** No rows, in one partition: the product of a stream with no partitions has no tasks, and the stream would not be read. */
  private static TableRows none(String version, Dataset<Row> frame) {
    JavaSparkContext context = new JavaSparkContext(frame.sparkSession().sparkContext());
    return new TableRows(version, context.parallelize(List.of(), 1), 0, 0);
  }

  private static Iterator<Measure> measure(Iterator<UnsafeRow> rows) {
    long count = 0;
    long bytes = 0;
    while (rows.hasNext()) {
      bytes += rows.next().getSizeInBytes();
      count++;
    }
    return List.of(new Measure(count, bytes)).iterator();
  }

  String version() {
    return version;
  }

  long count() {
    return count;
  }

  /** Returns the size of the rows in Spark's binary format, at least {@link #MIN_ROW_BYTES} per row. */
  long bytes() {
    return bytes;
  }

  RDD<UnsafeRow> rdd() {
    return rows.rdd();
  }

  /** Frees the memory; a task that still reads the rows computes them again. */
  void release() {
    rows.unpersist(false);
  }

  /** The number of rows, and their total size. */
  private record Measure(long rows, long bytes) implements Serializable {
    Measure plus(Measure other) {
      return new Measure(rows + other.rows, bytes + other.bytes);
    }
  }

  /** Copies rows, because Spark reuses one object for all of them. */
  private record Copies(Iterator<InternalRow> rows, UnsafeProjection projection) implements Iterator<UnsafeRow> {
    @Override public boolean hasNext() {
      return rows.hasNext();
    }

    @Override public UnsafeRow next() {
      return projection.apply(rows.next()).copy();
    }
  }
}
