package io.rowtime.microbatch;

import io.rowtime.spark.ScalaSeq;
import java.util.List;
import org.apache.spark.Dependency;
import org.apache.spark.Partition;
import org.apache.spark.TaskContext;
import org.apache.spark.rdd.RDD;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.execution.ExternalAppendOnlyUnsafeRowArray;
import scala.collection.Iterator;
import scala.collection.immutable.Seq;
import scala.reflect.ClassTag$;

/**
 * The rows of an exchange, exchanged within the one task that reads all partitions: when it reads the first one, it computes
 * the rows of all.
 */
final class TaskExchange extends RDD<InternalRow> {
  private static final long serialVersionUID = 1L;
  /** The rows of a partition that are in memory, and their bytes; further ones are on the disk. */
  private static final int ROWS_IN_MEMORY = 4096;
  private static final long BYTES_IN_MEMORY = 1 << 24;

  private final RDD<InternalRow> rows;
  private final Expression partitionOf;
  private final Seq<Attribute> columns;
  private final int count;
  /** The rows by partition; each task has its own copy of an RDD. */
  private transient ExternalAppendOnlyUnsafeRowArray[] exchanged;

  /**
   * @param partitionOf computes the number of the partition of a row
   * @param columns those of the rows
   * @param count the number of partitions
   */
  TaskExchange(RDD<InternalRow> rows, Expression partitionOf, Seq<Attribute> columns, int count) {
    super(rows.context(), ScalaSeq.<Dependency<?>>of(List.of(new AllPartitions(rows))), ClassTag$.MODULE$.apply(InternalRow.class));
    this.rows = rows;
    this.partitionOf = partitionOf;
    this.columns = columns;
    this.count = count;
  }

  @Override public Partition[] getPartitions() {
    return AllPartitions.each(rows, count);
  }

  @Override public Iterator<InternalRow> compute(Partition partition, TaskContext context) {
    if (exchanged == null) {
      exchange(((AllPartitions.Part) partition).parents(), context);
    }
    @SuppressWarnings({"unchecked", "rawtypes"})
    Iterator<InternalRow> its = (Iterator) exchanged[partition.index()].generateIterator();
    return its;
  }

  private void exchange(Partition[] parents, TaskContext context) {
    ExternalAppendOnlyUnsafeRowArray[] made = new ExternalAppendOnlyUnsafeRowArray[count];
    for (int i = 0; i < count; i++) {
      made[i] = new ExternalAppendOnlyUnsafeRowArray(ROWS_IN_MEMORY, BYTES_IN_MEMORY, ROWS_IN_MEMORY, BYTES_IN_MEMORY);
    }
    UnsafeProjection target = UnsafeProjection.create(ScalaSeq.of(List.of(partitionOf)), columns);
    Iterator<InternalRow> all = new AllPartitions.Rows(rows, parents, context);
    while (all.hasNext()) {
      UnsafeRow row = (UnsafeRow) all.next();
      made[target.apply(row).getInt(0)].add(row);
    }
    exchanged = made;
  }
}
