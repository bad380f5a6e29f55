package io.rowtime.microbatch;

import io.rowtime.spark.ScalaSeq;
import io.rowtime.spark.TaskPart;
import java.util.NoSuchElementException;
import java.util.stream.IntStream;
import org.apache.spark.NarrowDependency;
import org.apache.spark.Partition;
import org.apache.spark.TaskContext;
import org.apache.spark.rdd.RDD;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.execution.streaming.state.StateStoreThreadLocalTracker;
import scala.collection.AbstractIterator;
import scala.collection.Iterator;
import scala.collection.immutable.Seq;

/** A task that reads all partitions of an RDD. */
final class AllPartitions extends NarrowDependency<InternalRow> {
  private static final long serialVersionUID = 1L;

  AllPartitions(RDD<InternalRow> rows) {
    super(rows);
  }

  @Override public Seq<Object> getParents(int partition) {
    return ScalaSeq.of(IntStream.range(0, rdd().getNumPartitions()).mapToObj(Object.class::cast).toList());
  }

  /** Returns partitions, each of which is computed from all partitions of {@code rows}. */
  static Partition[] each(RDD<InternalRow> rows, int count) {
    Partition[] parents = rows.partitions();
    return IntStream.range(0, count).mapToObj(i -> new Part(i, parents)).toArray(Partition[]::new);
  }

  /** @param parents those that it is computed from */
  record Part(int index, Partition[] parents) implements Partition {
    // A record's own would compare the arrays; Spark compares partitions by their index.
    @Override public boolean equals(Object other) {
      return other instanceof Part part && part.index == index;
    }

    @Override public int hashCode() {
      return index;
    }
  }

  /** The rows of some partitions, one after the other. */
  static final class Rows extends AbstractIterator<InternalRow> {
    private final RDD<InternalRow> rows;
    private final Partition[] partitions;
    private final TaskContext context;
    private int next;
    private Iterator<InternalRow> current;
    /** The part of the task that reads them; null before the first partition and after the last. */
    private String reader;

    Rows(RDD<InternalRow> rows, Partition[] partitions, TaskContext context) {
      this.rows = rows;
      this.partitions = partitions;
      this.context = context;
    }

    @Override public boolean hasNext() {
      while (current == null || !current.hasNext()) {
        // Spark keeps the state that a task reads with the thread, to write the same, until the task ends.
        StateStoreThreadLocalTracker.clearStore();
        if (reader != null) {
          TaskPart.leave(context, reader);
          reader = null;
        }
        if (next == partitions.length) {
          return false;
        }
        reader = TaskPart.enter(context, rows.id(), next);
        current = rows.iterator(partitions[next++], context);
      }
      return true;
    }

    @Override public InternalRow next() {
      if (!hasNext()) {
        throw new NoSuchElementException();
      }
      return current.next();
    }
  }
}
