package io.rowtime.microbatch;

import io.rowtime.spark.ScalaSeq;
import java.util.List;
import org.apache.spark.Dependency;
import org.apache.spark.OneToOneDependency;
import org.apache.spark.Partition;
import org.apache.spark.TaskContext;
import org.apache.spark.rdd.RDD;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.streaming.StatefulProcessor;
import scala.collection.Iterator;
import scala.reflect.ClassTag$;

/**
 * The rows that a node with state makes of others. For its own RDD, Spark checks and serializes a closure over the plan of
 * the micro-batch, and sends Hadoop's settings; here the task, which runs in this process, has the node itself.
 */
final class TaskState extends RDD<InternalRow> {
  private static final long serialVersionUID = 1L;

  private final RDD<InternalRow> rows;
  private final InProcess<StateNode> node;
  /** Each task has its own: what it knows of a task must not outlive that. Null for nodes without one. */
  private final StatefulProcessor<?, ?, ?> processor;

  TaskState(StateNode node, RDD<InternalRow> rows) {
    super(rows.context(), ScalaSeq.<Dependency<?>>of(List.of(new OneToOneDependency<>(rows))), ClassTag$.MODULE$.apply(InternalRow.class));
    this.rows = rows;
    this.node = new InProcess<>(node);
    processor = node.processor();
  }

  @Override public Partition[] getPartitions() {
    return rows.partitions();
  }

  @Override public Iterator<InternalRow> compute(Partition partition, TaskContext context) {
    // First: a node below may have opened the same state for reading.
    Iterator<InternalRow> read = rows.iterator(partition, context);
    return node.get().process(partition.index(), read, processor, context);
  }
}
