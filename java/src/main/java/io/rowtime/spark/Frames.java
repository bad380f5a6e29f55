package io.rowtime.spark;

import java.util.List;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.functions;

/** Creates DataFrames of logical plans, which Spark's public interface cannot do, and their columns. */
public final class Frames {
  private Frames() {}

  public static Dataset<Row> of(SparkSession spark, LogicalPlan plan) {
    return org.apache.spark.sql.classic.Dataset.ofRows((org.apache.spark.sql.classic.SparkSession) spark, plan);
  }

  public static Column column(String name) {
    return functions.col("`" + name.replace("`", "``") + "`");
  }

  /** Returns columns by name; names may contain any characters. */
  public static Column[] columns(List<String> names) {
    return names.stream().map(Frames::column).toArray(Column[]::new);
  }
}
