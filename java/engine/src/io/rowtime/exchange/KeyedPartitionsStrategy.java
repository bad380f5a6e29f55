package io.rowtime.exchange;

import io.rowtime.spark.Strategies;
import java.util.List;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.plans.logical.DeserializeToObject;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.plans.logical.MapPartitions;
import org.apache.spark.sql.catalyst.plans.logical.Project;
import org.apache.spark.sql.catalyst.plans.logical.SerializeFromObject;
import org.apache.spark.sql.catalyst.plans.physical.HashPartitioning;
import org.apache.spark.sql.catalyst.plans.physical.Partitioning;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.exchange.ENSURE_REQUIREMENTS$;
import org.apache.spark.sql.execution.exchange.ShuffleExchangeExec;
import scala.Option;
import scala.collection.immutable.Seq;
import scala.jdk.javaapi.CollectionConverters;

/** Plans {@link KeyedPartitions}, and the blocks of rows below them. */
public final class KeyedPartitionsStrategy extends Strategies.Own {
  private static final KeyedPartitionsStrategy STRATEGY = new KeyedPartitionsStrategy();

  private KeyedPartitionsStrategy() {}

  /** Adds the strategy to a session. */
  public static void add(SparkSession spark) {
    Strategies.add(spark, STRATEGY);
  }

  @Override public Seq<SparkPlan> apply(LogicalPlan plan) {
    Attribute key = KeyedPartitions.key(plan);
    SparkPlan planned = key == null ? blocks(plan) : plan(key, plan.children().head());
    return CollectionConverters.asScala(planned == null ? List.<SparkPlan>of() : List.of(planned)).toSeq();
  }

  /** Returns null for anything but the results of rows of which no column is read. */
  private SparkPlan blocks(LogicalPlan plan) {
    return plan instanceof SerializeFromObject written && written.child() instanceof MapPartitions map
        && (Object) map.func() instanceof MapSideOutput results && map.child() instanceof DeserializeToObject read
        && read.child() instanceof Project none && none.references().isEmpty()
        ? new MapSideExec(written.output(), results, planLater(none.child())) : null;
  }

  private SparkPlan plan(Attribute key, LogicalPlan rows) {
    Partitioning partitioning =
        new HashPartitioning(CollectionConverters.asScala(List.<Expression>of(key)).toSeq(), Partitions.count());
    return new KeyedPartitionsExec(
        key, new ShuffleExchangeExec(partitioning, planLater(rows), ENSURE_REQUIREMENTS$.MODULE$, Option.empty()));
  }
}
