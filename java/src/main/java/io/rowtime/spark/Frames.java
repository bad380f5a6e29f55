package io.rowtime.spark;

import java.util.List;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.functions;

/** DataFrames of plans, which Spark's public interface does not make; and their columns. */
public final class Frames {
  private Frames() {}

  public static Dataset<Row> of(SparkSession spark, LogicalPlan plan) {
    return org.apache.spark.sql.classic.Dataset.ofRows((org.apache.spark.sql.classic.SparkSession) spark, plan);
  }

  public static Column column(String name) {
    return functions.col("`" + name.replace("`", "``") + "`");
  }

  /** Columns by their names, which may have any letters. */
  public static Column[] columns(List<String> names) {
    return names.stream().map(Frames::column).toArray(Column[]::new);
  }
}
