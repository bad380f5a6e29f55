package io.rowtime.lookup;

import io.rowtime.spark.ScalaSeq;
import io.rowtime.spark.Strategies;
import java.util.List;
import java.util.UUID;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.plans.logical.Join;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.execution.PlanLater;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.SparkStrategy;
import scala.PartialFunction;
import scala.collection.immutable.Seq;
import scala.jdk.javaapi.CollectionConverters;
import scala.runtime.AbstractPartialFunction;

/**
 * Plans joins of a stream with a relation as Spark does, but so that all rows of the stream are read. Some of Spark's
 * joins do not read them if the relation has no row that could match: the operators below would then not commit their
 * state, and clocks would stand still.
 */
public final class LookupStrategy extends Strategies.Own {
  private static final LookupStrategy STRATEGY = new LookupStrategy();

  private LookupStrategy() {}

  /** Adds the strategy to a session. */
  public static void add(SparkSession spark) {
    Strategies.add(spark, STRATEGY);
  }

  @Override public Seq<SparkPlan> apply(LogicalPlan plan) {
    return ScalaSeq.of(plan instanceof Join join && join.left().isStreaming() != join.right().isStreaming()
        ? planned(join, join.left().isStreaming() ? join.left() : join.right()) : List.of());
  }

  private static List<SparkPlan> planned(Join join, LogicalPlan stream) {
    SparkStrategy spark = ((org.apache.spark.sql.classic.SparkSession) SparkSession.active()).sessionState().planner().JoinSelection();
    List<SparkPlan> plans = CollectionConverters.asJava(spark.apply(join));
    return plans.stream().map(found -> whole(found, stream)).toList();
  }

  private static SparkPlan whole(SparkPlan join, LogicalPlan stream) {
    String id = UUID.randomUUID().toString();
    PartialFunction<SparkPlan, SparkPlan> below = new AbstractPartialFunction<>() {
      @Override public boolean isDefinedAt(SparkPlan node) {
        return node instanceof PlanLater later && later.plan() == stream;
      }

      @Override public SparkPlan apply(SparkPlan node) {
        return new WholeStreamExec(id, WholeStreamExec.Place.BELOW_JOIN, node);
      }
    };
    return new WholeStreamExec(id, WholeStreamExec.Place.ABOVE_JOIN, join.transformUp(below));
  }
}
