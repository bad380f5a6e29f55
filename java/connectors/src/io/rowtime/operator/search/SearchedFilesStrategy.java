package io.rowtime.operator.search;

import io.rowtime.lookup.LookupRelation;
import io.rowtime.spark.Strategies;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.SparkContext;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.NamedExpression;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.plans.logical.Project;
import org.apache.spark.sql.catalyst.plans.physical.HashPartitioning;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.exchange.ENSURE_REQUIREMENTS$;
import org.apache.spark.sql.execution.exchange.ShuffleExchangeExec;
import org.apache.spark.sql.internal.SQLConf;
import scala.Option;
import scala.collection.immutable.Seq;
import scala.jdk.javaapi.CollectionConverters;

/** Plans {@link SearchedFiles}. */
public final class SearchedFilesStrategy extends Strategies.Own {
  private static final SearchedFilesStrategy STRATEGY = new SearchedFilesStrategy();

  private SearchedFilesStrategy() {}

  /** Adds the strategy to a session. */
  static void add(SparkSession spark) {
    Strategies.add(spark, STRATEGY);
  }

  @Override public Seq<SparkPlan> apply(LogicalPlan plan) {
    return CollectionConverters.asScala(plan instanceof SearchedFiles search ? List.of(plan(search)) : List.<SparkPlan>of()).toSeq();
  }

  private SparkPlan plan(SearchedFiles search) {
    SparkContext spark = search.search().context();
    List<NamedExpression> asking = new ArrayList<>(CollectionConverters.asJava(search.asking()));
    // Optimizer rules may have changed the child's columns or their order.
    Project rows = new Project(CollectionConverters.asScala(asking).toSeq(), search.child());
    List<Expression> keys = new ArrayList<>();
    for (NamedExpression column : asking) {
      if (search.search().isKey(column.name())) {
        keys.add((Expression) column);
      }
    }
    HashPartitioning partitioning = new HashPartitioning(CollectionConverters.asScala(keys).toSeq(), SQLConf.get().numShufflePartitions());
    SparkPlan exchange = new ShuffleExchangeExec(partitioning, planLater(rows), ENSURE_REQUIREMENTS$.MODULE$, Option.empty());
    return new SearchedFilesExec(search.output(), search.search(), LookupRelation.query(spark), LookupRelation.batch(spark), exchange);
  }
}
