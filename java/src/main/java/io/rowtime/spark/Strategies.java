package io.rowtime.spark;

import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.ExperimentalMethods;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.execution.SparkStrategy;
import scala.collection.immutable.Seq;
import scala.jdk.javaapi.CollectionConverters;

/** The planning strategies of a session, which is the user's. A streaming query keeps those that its session has when it starts. */
public final class Strategies {
  private Strategies() {}

  /** A strategy of rowtime's, which plans a node of its own, and nothing else. */
  public abstract static class Own extends SparkStrategy {}

  public static Seq<SparkStrategy> of(SparkSession spark) {
    return methods(spark).extraStrategies();
  }

  /** Adds a strategy that the session does not have. */
  public static synchronized void add(SparkSession spark, Own strategy) {
    List<SparkStrategy> strategies = list(of(spark));
    if (!strategies.contains(strategy)) {
      strategies.add(strategy);
      set(spark, strategies);
    }
  }

  /** Takes away those of rowtime's that were not {@code before}, and leaves all others. */
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

  private static void set(SparkSession spark, List<SparkStrategy> strategies) {
    methods(spark).extraStrategies_$eq(CollectionConverters.asScala(strategies).toSeq());
  }
}
