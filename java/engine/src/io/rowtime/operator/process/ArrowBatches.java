package io.rowtime.operator.process;

import java.util.Iterator;
import java.util.List;
import org.apache.spark.TaskContext;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.execution.arrow.ArrowConverters$;
import org.apache.spark.sql.types.StructType;
import scala.jdk.javaapi.CollectionConverters;

/** Converts rows to and from Arrow batches, in Spark's encoding. */
final class ArrowBatches {
  private ArrowBatches() {}

  /** Returns all rows as one batch, in a stream with its schema. */
  static byte[] stream(Iterator<InternalRow> rows, StructType schema) {
    return ArrowConverters$.MODULE$.toBatchWithSchemaIterator(CollectionConverters.asScala(rows), schema, Long.MAX_VALUE, Long.MAX_VALUE,
        "UTC", false, false).next();
  }

  /** Returns the rows of a batch without schema. */
  static Iterator<InternalRow> rows(byte[] batch, StructType schema) {
    return CollectionConverters.asJava(ArrowConverters$.MODULE$.fromBatchIterator(
        CollectionConverters.asScala(List.of(batch).iterator()), schema, "UTC", false, false, TaskContext.get()));
  }
}
