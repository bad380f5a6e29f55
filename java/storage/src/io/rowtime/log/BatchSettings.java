package io.rowtime.log;

import io.rowtime.spark.PlanReuse;
import io.rowtime.spark.RunningQuery;
import java.util.HashMap;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.trees.TreePattern;
import org.apache.spark.sql.execution.streaming.runtime.MicroBatchExecution;
import org.apache.spark.sql.execution.streaming.runtime.StreamExecution;
import org.apache.spark.sql.internal.SQLConf;

/**
 * Chooses how Spark plans and evaluates a micro-batch. It writes the text of Java code for each stage and each projection, in
 * the driver and in each task, to look up the class that it has compiled of that text before; a text that contains the
 * watermark is compiled in each micro-batch. For a few rows, this takes longer than to interpret the expressions, which
 * gives the same rows. Spark also compares all parts of a plan, to compute those that are alike once; for a few rows, that
 * takes longer than to compute them twice.
 */
final class BatchSettings {
  private static final String PROJECTIONS = SQLConf.CODEGEN_FACTORY_MODE().key();
  private static final String ALWAYS = "CODEGEN_ONLY";
  /** The settings with which expressions are interpreted. */
  private static final Map<String, String> INTERPRETED =
      Map.of(SQLConf.WHOLESTAGE_CODEGEN_ENABLED().key(), "false", PROJECTIONS, "NO_CODEGEN");
  /** The settings with which parts of a plan that are alike are computed each. */
  private static final Map<String, String> APART =
      Map.of(SQLConf.EXCHANGE_REUSE_ENABLED().key(), "false", SQLConf.SUBQUERY_REUSE_ENABLED().key(), "false");
  /** What the settings are without our choice, by query. */
  private static final Map<StreamExecution, Map<String, String>> CONFIGURED = new WeakHashMap<>();

  private final SparkSession spark;

  BatchSettings(SparkSession spark) {
    this.spark = spark;
  }

  /**
   * Must be called on the query's thread by each source that has rows for a micro-batch, before Spark plans it: the last
   * call knows the rows of all.
   */
  void choose() {
    MicroBatchExecution query = RunningQuery.of(spark);
    if (query != null) {
      PlanReuse.begin(query.sparkSessionForStream());
      choose(query);
    }
  }

  private static void choose(MicroBatchExecution query) {
    boolean small = SmallBatches.judge(query);
    // The rows of sub-queries are not counted, and can be many.
    boolean apart = small && !query.logicalPlan().containsPattern(TreePattern.PLAN_EXPRESSION());
    SQLConf settings = query.sparkSessionForStream().sessionState().conf();
    Map<String, String> configured;
    synchronized (CONFIGURED) {
      configured = CONFIGURED.computeIfAbsent(query, any -> Stream.of(INTERPRETED, APART).flatMap(some -> some.keySet().stream())
          .collect(Collectors.toMap(key -> key, settings::getConfString)));
    }
    if (!configured.get(PROJECTIONS).equals(ALWAYS)) {
      Map<String, String> chosen = new HashMap<>(configured);
      chosen.putAll(small ? INTERPRETED : Map.of());
      chosen.putAll(apart ? APART : Map.of());
      chosen.forEach(settings::setConfString);
    }
  }
}
