package io.rowtime.lookup;

import io.rowtime.spark.ScalaSeq;
import java.io.Serializable;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.spark.TaskContext;
import org.apache.spark.rdd.RDD;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.SortOrder;
import org.apache.spark.sql.catalyst.plans.physical.Partitioning;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.util.TaskCompletionListener;
import scala.collection.AbstractIterator;
import scala.collection.Iterator;
import scala.collection.immutable.IndexedSeq;
import scala.collection.immutable.Seq;
import scala.reflect.ClassTag$;
import scala.runtime.AbstractFunction1;

/**
 * Two nodes around a join, which have the rows of their child. The one below the join passes the rows of the stream; when
 * the rows of the one above have ended, it reads those that the join has left. If the join has an exchange, its tasks read
 * all rows, and nothing is left.
 */
public final class WholeStreamExec extends SparkPlan {
  private static final long serialVersionUID = 1L;

  /** The rows that a task has not read yet, by the id of the nodes and the task. */
  private static final Map<Key, Iterator<InternalRow>> UNREAD = new ConcurrentHashMap<>();

  /** Where a node is. */
  public enum Place { BELOW_JOIN, ABOVE_JOIN }

  private record Key(String id, long task) {
    static Key of(String id) {
      return new Key(id, TaskContext.get().taskAttemptId());
    }
  }

  private final String id;
  private final Place place;
  private final SparkPlan child;

  /**
   * The constructor that Spark uses for copies.
   *
   * @param id the same for both nodes of a join, and for no others
   */
  public WholeStreamExec(String id, Place place, SparkPlan child) {
    this.id = id;
    this.place = place;
    this.child = child;
  }

  @Override public Seq<Attribute> output() {
    return child.output();
  }

  @Override public Partitioning outputPartitioning() {
    return child.outputPartitioning();
  }

  @Override public Seq<SortOrder> outputOrdering() {
    return child.outputOrdering();
  }

  @Override public RDD<InternalRow> doExecute() {
    return child.execute().mapPartitionsInternal(new Pass(id, place), true, ClassTag$.MODULE$.apply(InternalRow.class));
  }

  @Override public Seq<SparkPlan> children() {
    return ScalaSeq.of(List.of(child));
  }

  @Override public SparkPlan withNewChildrenInternal(IndexedSeq<SparkPlan> children) {
    return new WholeStreamExec(id, place, children.head());
  }

  @Override public int productArity() {
    return 3;
  }

  @Override public Object productElement(int number) {
    return switch (number) {
      case 0 -> id;
      case 1 -> place;
      default -> child;
    };
  }

  @Override public boolean canEqual(Object other) {
    return other instanceof WholeStreamExec;
  }

  /** What a node does with the rows of a task. */
  private static final class Pass extends AbstractFunction1<Iterator<InternalRow>, Iterator<InternalRow>> implements Serializable {
    private static final long serialVersionUID = 1L;

    private final String id;
    private final Place place;

    Pass(String id, Place place) {
      this.id = id;
      this.place = place;
    }

    @Override public Iterator<InternalRow> apply(Iterator<InternalRow> rows) {
      Key key = Key.of(id);
      if (place == Place.ABOVE_JOIN) {
        return new Whole(rows, key);
      }
      UNREAD.put(key, rows);
      TaskContext.get().addTaskCompletionListener((TaskCompletionListener) done -> UNREAD.remove(key));
      return rows;
    }
  }

  /** The rows of a join. At their end, what the join has left of the stream is read. */
  private static final class Whole extends AbstractIterator<InternalRow> {
    private final Iterator<InternalRow> joined;
    private final Key key;

    Whole(Iterator<InternalRow> joined, Key key) {
      this.joined = joined;
      this.key = key;
    }

    @Override public boolean hasNext() {
      if (joined.hasNext()) {
        return true;
      }
      Iterator<InternalRow> unread = UNREAD.remove(key);
      while (unread != null && unread.hasNext()) {
        unread.next();
      }
      return false;
    }

    @Override public InternalRow next() {
      return joined.next();
    }
  }
}
