package io.rowtime.log;

import io.rowtime.spark.RunningQuery;
import java.util.Map;
import java.util.WeakHashMap;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.execution.streaming.runtime.MicroBatchExecution;
import org.apache.spark.sql.execution.streaming.runtime.StreamExecution;
import org.apache.spark.sql.internal.SQLConf;

/**
 * Chooses how the expressions of a micro-batch are evaluated. Spark writes the text of Java code for each stage and each
 * projection of a micro-batch, in the driver and in each task, to look up the class that it has compiled of that text
 * before; a text that contains the watermark is compiled in each micro-batch. For a few rows, this takes longer than to
 * interpret the expressions, which gives the same rows.
 */
final class BatchExpressions {
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
    boolean small = SmallBatches.judge(query);
    SQLConf settings = query.sparkSessionForStream().sessionState().conf();
    Configured configured;
    synchronized (CONFIGURED) {
      configured = CONFIGURED.computeIfAbsent(query,
          any -> new Configured(settings.getConfString(WHOLE_STAGES), settings.getConfString(PROJECTIONS)));
    }
    if (configured.projections.equals(ALWAYS)) {
      return;
    }
    settings.setConfString(WHOLE_STAGES, small ? "false" : configured.wholeStages);
    settings.setConfString(PROJECTIONS, small ? NEVER : configured.projections);
  }
}
