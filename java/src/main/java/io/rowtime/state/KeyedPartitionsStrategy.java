package io.rowtime.state;

import io.rowtime.spark.Strategies;
import java.util.List;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.plans.physical.HashPartitioning;
import org.apache.spark.sql.catalyst.plans.physical.Partitioning;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.exchange.ENSURE_REQUIREMENTS$;
import org.apache.spark.sql.execution.exchange.ShuffleExchangeExec;
import scala.Option;
import scala.collection.immutable.Seq;
import scala.jdk.javaapi.CollectionConverters;

/** Plans {@link KeyedPartitions}. */
public final class KeyedPartitionsStrategy extends Strategies.Own {
  private static final KeyedPartitionsStrategy STRATEGY = new KeyedPartitionsStrategy();

  private KeyedPartitionsStrategy() {}

  /** Adds the strategy to a session. */
  public static void add(SparkSession spark) {
    Strategies.add(spark, STRATEGY);
  }

  @Override public Seq<SparkPlan> apply(LogicalPlan plan) {
    Attribute key = KeyedPartitions.key(plan);
    return CollectionConverters.asScala(key == null ? List.<SparkPlan>of() : List.of(plan(key, plan.children().head()))).toSeq();
  }

  private SparkPlan plan(Attribute key, LogicalPlan rows) {
    Partitioning partitioning =
        new HashPartitioning(CollectionConverters.asScala(List.<Expression>of(key)).toSeq(), Partitions.count());
    return new KeyedPartitionsExec(
        key, new ShuffleExchangeExec(partitioning, planLater(rows), ENSURE_REQUIREMENTS$.MODULE$, Option.empty()));
  }
}
