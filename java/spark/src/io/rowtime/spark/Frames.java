package io.rowtime.spark;

import java.util.List;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.expressions.Alias;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.NamedExpression;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.plans.logical.Project;
import org.apache.spark.sql.functions;
import org.apache.spark.sql.types.Metadata;
import scala.Option;

/** Creates DataFrames of logical plans, which Spark's public interface cannot do, and their columns. */
public final class Frames {
  private Frames() {}

  public static Dataset<Row> of(SparkSession spark, LogicalPlan plan) {
    return org.apache.spark.sql.classic.Dataset.ofRows((org.apache.spark.sql.classic.SparkSession) spark, plan);
  }

  /**
   * Creates a DataFrame of a plan that Spark does not analyze.
   *
   * @param plan all of whose expressions are resolved, and which contains no column twice
   */
  public static Dataset<Row> resolved(SparkSession spark, LogicalPlan plan) {
    plan.setAnalyzed();
    return of(spark, plan);
  }

  /** Returns a resolved expression under a name. */
  public static NamedExpression named(Expression value, String name) {
    return named(value, name, Option.empty());
  }

  static NamedExpression named(Expression value, String name, Option<Metadata> metadata) {
    return new Alias(value, name, NamedExpression.newExprId(), ScalaSeq.of(List.of()), metadata, ScalaSeq.of(List.of()));
  }

  public static Column column(String name) {
    return functions.col("`" + name.replace("`", "``") + "`");
  }

  /** Returns some columns of a DataFrame as they are. */
  public static Dataset<Row> select(Dataset<Row> rows, List<String> names) {
    LogicalPlan plan = rows.queryExecution().analyzed();
    SimpleExpressions columns = new SimpleExpressions((org.apache.spark.sql.classic.SparkSession) rows.sparkSession(), plan);
    List<NamedExpression> found = names.stream().map(name -> (NamedExpression) columns.column(name)).toList();
    Project selected = new Project(ScalaSeq.of(found), plan);
    return columns.areComplete() ? resolved(rows.sparkSession(), selected) : of(rows.sparkSession(), selected);
  }

  /** Returns columns by name; names may contain any characters. */
  public static Column[] columns(List<String> names) {
    return names.stream().map(Frames::column).toArray(Column[]::new);
  }
}
