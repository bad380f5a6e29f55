package io.rowtime.spark;

import java.lang.reflect.Field;
import java.util.List;
import org.apache.spark.sql.catalyst.QueryPlanningTracker;
import org.apache.spark.sql.catalyst.analysis.Analyzer;
import org.apache.spark.sql.catalyst.optimizer.Optimizer;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.classic.SparkSession;
import org.apache.spark.sql.connector.catalog.CatalogManager;
import org.apache.spark.sql.execution.SparkOptimizer;
import org.apache.spark.sql.execution.streaming.sources.WriteToMicroBatchDataSourceV1;
import org.apache.spark.sql.internal.SessionState;
import scala.Option;

/**
 * Analyzes and optimizes the micro-batches of a query once. Spark does so for each, from the beginning, although nearly all of
 * them differ only in the files that they read, while the cores wait.
 */
public final class PlanReuse {
  private static final Field ANALYZER = HiddenField.of(SessionState.class, "analyzer", Analyzer.class);
  private static final Field OPTIMIZER = HiddenField.of(SessionState.class, "optimizer", Optimizer.class);

  private PlanReuse() {}

  /**
   * Begins to reuse the plans of a query. Other plans of its session are planned as before.
   *
   * @param spark the session of that query alone, which Spark has made for it
   */
  public static void begin(SparkSession spark) {
    SessionState state = spark.sessionState();
    // Without them, another version of Spark plans each micro-batch anew.
    if (ANALYZER == null || OPTIMIZER == null || state.analyzer() instanceof ReusingAnalyzer) {
      return;
    }
    // They exist now, so Spark makes no others.
    Analyzer analyzer = state.analyzer();
    Optimizer optimizer = state.optimizer();
    try {
      OPTIMIZER.set(state, new ReusingOptimizer(state, optimizer));
      ANALYZER.set(state, new ReusingAnalyzer(analyzer));
    } catch (IllegalAccessException e) {
      throw new IllegalStateException(e);
    }
  }

  private static final class ReusingAnalyzer extends Analyzer {
    private final Analyzer spark;
    private final ReusedPlan last = new ReusedPlan();

    ReusingAnalyzer(Analyzer spark) {
      super(spark.catalogManager(), spark.sharedRelationCache(), Option.empty());
      this.spark = spark;
    }

    @Override public LogicalPlan executeAndCheck(LogicalPlan plan, QueryPlanningTracker tracker) {
      if (!(plan instanceof WriteToMicroBatchDataSourceV1 write)) {
        return spark.executeAndCheck(plan, tracker);
      }
      // The node has the number of the micro-batch.
      LogicalPlan rows = last.made(write.child(), any -> spark.executeAndCheck(plan, tracker).children().head());
      LogicalPlan analyzed = write.withNewChildren(ScalaSeq.of(List.of(rows)));
      analyzed.setAnalyzed();
      return analyzed;
    }

    @Override public LogicalPlan execute(LogicalPlan plan) {
      return spark.execute(plan);
    }

    @Override public Analyzer withCatalogManager(CatalogManager catalogs) {
      return spark.withCatalogManager(catalogs);
    }

    @Override public void checkAnalysis(LogicalPlan plan) {
      spark.checkAnalysis(plan);
    }
  }

  private static final class ReusingOptimizer extends SparkOptimizer {
    private final Optimizer spark;
    private final ReusedPlan last = new ReusedPlan();

    ReusingOptimizer(SessionState state, Optimizer spark) {
      super(state.catalogManager(), state.catalog(), state.experimentalMethods());
      this.spark = spark;
    }

    @Override public LogicalPlan executeAndTrack(LogicalPlan plan, QueryPlanningTracker tracker) {
      return plan.isStreaming() ? last.made(plan, given -> spark.executeAndTrack(given, tracker)) : spark.executeAndTrack(plan, tracker);
    }

    @Override public LogicalPlan execute(LogicalPlan plan) {
      return spark.execute(plan);
    }
  }
}
