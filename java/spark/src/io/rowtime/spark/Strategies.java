package io.rowtime.spark;

import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.ExperimentalMethods;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.execution.SparkStrategy;
import scala.collection.immutable.Seq;
import scala.jdk.javaapi.CollectionConverters;

/**
 * Manages the planning strategies of a session, which belongs to the user. A streaming query keeps the strategies that
 * its session has when the query starts.
 */
public final class Strategies {
  private Strategies() {}

  /** A strategy of rowtime, which plans one of its own nodes, and nothing else. */
  public abstract static class Own extends SparkStrategy {}

  public static Seq<SparkStrategy> of(SparkSession spark) {
    return methods(spark).extraStrategies();
  }

  /** Adds a strategy that the session does not have yet. */
  public static synchronized void add(SparkSession spark, Own strategy) {
    List<SparkStrategy> strategies = list(of(spark));
    if (!strategies.contains(strategy)) {
      strategies.add(strategy);
      set(spark, strategies);
    }
  }

  /** Removes those of rowtime's strategies that were not in {@code before}; keeps all others. */
  public static synchronized void putBack(SparkSession spark, Seq<SparkStrategy> before) {
    List<SparkStrategy> strategies = list(of(spark));
    if (strategies.removeIf(strategy -> strategy instanceof Own && !before.contains(strategy))) {
      set(spark, strategies);
    }
  }

  private static ExperimentalMethods methods(SparkSession spark) {
    return ((org.apache.spark.sql.classic.SparkSession) spark).experimental();
  }

  private static List<SparkStrategy> list(Seq<SparkStrategy> strategies) {
    return new ArrayList<>(CollectionConverters.asJava(strategies));
  }

  static void set(SparkSession spark, List<SparkStrategy> strategies) {
    methods(spark).extraStrategies_$eq(CollectionConverters.asScala(strategies).toSeq());
  }
}
