package io.rowtime.spark;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
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
   * @param rules the names of Scala objects, with commas; those that this version of Spark does not have are ignored
   * @return the same rows, in columns of the same names
   */
  public static Dataset<Row> optimize(Dataset<Row> rows, String rules) {
    SparkSession spark = (SparkSession) rows.sparkSession();
    List<Rule<LogicalPlan>> found = Arrays.stream(rules.split(",")).flatMap(name -> rule(name).stream()).toList();
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
    return optimized.resolved() ? Frames.resolved(spark, optimized) : Frames.of(spark, optimized);
  }

  @SuppressWarnings("unchecked")
  private static Optional<Rule<LogicalPlan>> rule(String name) {
    try {
      return Optional.of((Rule<LogicalPlan>) Class.forName(name + "$").getField("MODULE$").get(null));
    } catch (ReflectiveOperationException e) {
      return Optional.empty();
    }
  }
}
