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
import org.apache.spark.sql.internal.SQLConf;
import org.apache.spark.sql.streaming.StateOperatorProgress;
import org.apache.spark.sql.streaming.StreamingQueryProgress;
import scala.jdk.javaapi.CollectionConverters;

/**
 * Chooses how the expressions of a micro-batch are evaluated. Spark writes the text of Java code for each stage and each
 * projection of a micro-batch, in the driver and in each task, to look up the class that it has compiled of that text
 * before; a text that contains the watermark is compiled in each micro-batch. For a few rows, this takes longer than to
 * interpret the expressions, which gives the same rows.
 */
final class BatchExpressions {
  /** The rows that a micro-batch may read to be interpreted; an expression of an interpreted row takes microseconds. */
  private static final long ROWS = 1000;
  /** The rows that the operators may have in their state: all of them can come out in one micro-batch. */
  private static final long STATE = 10_000;
  private static final String WHOLE_STAGES = SQLConf.WHOLESTAGE_CODEGEN_ENABLED().key();
  private static final String PROJECTIONS = SQLConf.CODEGEN_FACTORY_MODE().key();
  private static final String NEVER = "NO_CODEGEN";
  private static final String ALWAYS = "CODEGEN_ONLY";
  /** What the settings are without our choice, by query. */
  private static final Map<StreamExecution, Configured> CONFIGURED = new WeakHashMap<>();

  private record Configured(String wholeStages, String projections) {}

  private final SparkSession spark;

  BatchExpressions(SparkSession spark) {
    this.spark = spark;
  }

  /**
   * Must be called on the query's thread by each source that has rows for a micro-batch, before Spark plans it: the last
   * call knows the rows of all.
   */
  void choose() {
    MicroBatchExecution query = RunningQuery.of(spark);
    if (query != null) {
      choose(query);
    }
  }

  private static void choose(MicroBatchExecution query) {
    SQLConf settings = query.sparkSessionForStream().sessionState().conf();
    Configured configured;
    synchronized (CONFIGURED) {
      configured = CONFIGURED.computeIfAbsent(query,
          any -> new Configured(settings.getConfString(WHOLE_STAGES), settings.getConfString(PROJECTIONS)));
    }
    if (configured.projections.equals(ALWAYS)) {
      return;
    }
    boolean small = rows(query.logicalPlan()) <= ROWS && state(query.lastProgress()) <= STATE;
    settings.setConfString(WHOLE_STAGES, small ? "false" : configured.wholeStages);
    settings.setConfString(PROJECTIONS, small ? NEVER : configured.projections);
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
