package io.rowtime.lookup;

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
import scala.jdk.javaapi.CollectionConverters;
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
    return child.execute().mapPartitionsInternal(place == Place.BELOW_JOIN ? new Below(id) : new Above(id), true,
        ClassTag$.MODULE$.apply(InternalRow.class));
  }

  @Override public Seq<SparkPlan> children() {
    return CollectionConverters.asScala(List.of(child)).toSeq();
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

  private static final class Below extends AbstractFunction1<Iterator<InternalRow>, Iterator<InternalRow>> implements Serializable {
    private static final long serialVersionUID = 1L;

    private final String id;

    Below(String id) {
      this.id = id;
    }

    @Override public Iterator<InternalRow> apply(Iterator<InternalRow> rows) {
      Key key = Key.of(id);
      UNREAD.put(key, rows);
      TaskContext.get().addTaskCompletionListener((TaskCompletionListener) done -> UNREAD.remove(key));
      return rows;
    }
  }

  private static final class Above extends AbstractFunction1<Iterator<InternalRow>, Iterator<InternalRow>> implements Serializable {
    private static final long serialVersionUID = 1L;

    private final String id;

    Above(String id) {
      this.id = id;
    }

    @Override public Iterator<InternalRow> apply(Iterator<InternalRow> joined) {
      Key key = Key.of(id);
      return new AbstractIterator<>() {
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
      };
    }
  }
}
