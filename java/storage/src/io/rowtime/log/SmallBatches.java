package io.rowtime.log;

import io.rowtime.spark.CountedBatch;
import io.rowtime.spark.RunningQuery;
import java.util.Map;
import java.util.WeakHashMap;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.plans.logical.LocalRelation;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.execution.datasources.LogicalRelation;
import org.apache.spark.sql.execution.streaming.runtime.MicroBatchExecution;
import org.apache.spark.sql.execution.streaming.runtime.StreamExecution;
import org.apache.spark.sql.execution.streaming.runtime.StreamingExecutionRelation;
import org.apache.spark.sql.streaming.StateOperatorProgress;
import org.apache.spark.sql.streaming.StreamingQueryProgress;
import scala.jdk.javaapi.CollectionConverters;

/** Which micro-batches are small: what Spark prepares for each takes longer than to compute their rows. */
public final class SmallBatches {
  /** The rows that a micro-batch may read; an expression of an interpreted row takes microseconds. */
  private static final long ROWS = 1000;
  /** The rows that the operators may have in their state: all of them can come out in one micro-batch. */
  private static final long STATE = 10_000;
  /** Whether the present micro-batch is small, by query. */
  private static final Map<StreamExecution, Boolean> SMALL = new WeakHashMap<>();

  private SmallBatches() {}

  /** Returns whether the micro-batch that this thread computes is small. */
  public static boolean isSmall(SparkSession spark) {
    MicroBatchExecution query = RunningQuery.of(spark);
    synchronized (SMALL) {
      return query != null && SMALL.getOrDefault(query, false);
    }
  }

  /** Judges the micro-batch that a query is about to plan. A micro-batch without new rows is like the one before it. */
  static boolean judge(MicroBatchExecution query) {
    boolean small = rows(query.logicalPlan()) <= ROWS && state(query.lastProgress()) <= STATE;
    synchronized (SMALL) {
      SMALL.put(query, small);
    }
    return small;
  }

  /**
   * Returns the rows of the micro-batch, with those of the tables that it is joined with; MAX_VALUE if they are unknown, as
   * they are of sources that are no logs, and of a table before it has been read once.
   */
  private static long rows(LogicalPlan plan) {
    if (plan instanceof LocalRelation relation) {
      // An operator with state has one without rows: Spark's node for such operators has a second input, its initial state.
      return relation.data().length();
    }
    if (plan.children().isEmpty()) {
      return leaf(plan) instanceof CountedBatch batch ? batch.batchRows() : Long.MAX_VALUE;
    }
    long sum = 0;
    for (LogicalPlan child : CollectionConverters.asJava(plan.children())) {
      long rows = rows(child);
      sum = rows > Long.MAX_VALUE - sum ? Long.MAX_VALUE : sum + rows;
    }
    return sum;
  }

  /** Returns what Spark reads the rows of a leaf from; null if it is neither a source nor a relation. */
  private static Object leaf(LogicalPlan plan) {
    if (plan instanceof StreamingExecutionRelation stream) {
      return stream.source();
    }
    return plan instanceof LogicalRelation table ? table.relation() : null;
  }

  /** Returns the rows in the state after the last micro-batch. */
  private static long state(StreamingQueryProgress last) {
    long sum = 0;
    for (StateOperatorProgress operator : last == null ? new StateOperatorProgress[0] : last.stateOperators()) {
      sum += operator.numRowsTotal();
    }
    return sum;
  }
}
