package io.rowtime.spark;

import java.util.List;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.rules.Rule;
import org.apache.spark.sql.classic.SparkSession;

/** Applies rules of Spark's optimizer to a streaming query before it starts. Spark optimizes each micro-batch anew. */
public final class StreamOptimizer {
  /** Spark's own limit is 100. The rules come to an end after three or four rounds; a plan is valid after any. */
  private static final int ROUNDS = 20;

  private StreamOptimizer() {}

  /**
   * Applies rules in turn until nothing changes.
   *
   * @param rules the names of Scala objects
   * @return the same rows, in columns of the same names
   */
  public static Dataset<Row> optimize(Dataset<Row> rows, List<String> rules) {
    SparkSession spark = (SparkSession) rows.sparkSession();
    List<Rule<LogicalPlan>> found = rules.stream().map(StreamOptimizer::rule).toList();
    LogicalPlan plan = rows.queryExecution().analyzed();
    LogicalPlan optimized = spark.withActive(() -> {
      LogicalPlan before = plan;
      for (int round = 0; round < ROUNDS; round++) {
        LogicalPlan after = before;
        for (Rule<LogicalPlan> rule : found) {
          after = rule.apply(after);
        }
        if (after.fastEquals(before)) {
          break;
        }
        before = after;
      }
      return before;
    });
    return Frames.of(spark, optimized);
  }

  @SuppressWarnings("unchecked")
  private static Rule<LogicalPlan> rule(String name) {
    try {
      return (Rule<LogicalPlan>) Class.forName(name + "$").getField("MODULE$").get(null);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("Spark has no rule " + name, e);
    }
  }
}
