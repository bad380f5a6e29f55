package io.rowtime.spark;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.NamedExpression;
import org.apache.spark.sql.catalyst.plans.logical.EventTimeWatermark;
import org.apache.spark.sql.catalyst.plans.logical.Filter;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.plans.logical.Project;
import org.apache.spark.sql.classic.SparkSession;
import org.apache.spark.sql.types.Metadata;
import org.apache.spark.unsafe.types.CalendarInterval;
import scala.Option;

/**
 * Several operations on a DataFrame in one call. Spark's DataFrames analyze each operation by itself, which takes longer than all else
 * at the start of a query. These are analyzed together, or not at all if {@link SimpleExpressions} can resolve what they contain.
 */
public final class Steps {
  private static final ObjectMapper JSON = new ObjectMapper();

  private Steps() {}

  /**
   * Applies operations one after another.
   *
   * @param steps JSON, a list of objects with one field each: {@code select}, a list of columns; {@code filter}, a condition; or
   *     {@code watermark}, the name of a column whose maximum is the watermark. A column is an object with {@code sql}; {@code name}, or
   *     null if the SQL is a column that stays as it is; and {@code plain}, whether it has no metadata of the column that it is made of.
   *     The SQL {@code *} are all columns.
   */
  public static Dataset<Row> apply(Dataset<Row> rows, String steps) throws JsonProcessingException {
    JsonNode parsed = JSON.readTree(steps);
    SparkSession spark = (SparkSession) rows.sparkSession();
    return spark.withActive(() -> {
      LogicalPlan plan = rows.queryExecution().analyzed();
      boolean complete = true;
      for (JsonNode step : parsed) {
        SimpleExpressions expressions = new SimpleExpressions(spark, complete ? plan : null);
        plan = step(expressions, plan, step);
        complete &= expressions.areComplete();
      }
      return complete ? Frames.resolved(spark, plan) : Frames.of(spark, plan);
    });
  }

  private static LogicalPlan step(SimpleExpressions expressions, LogicalPlan plan, JsonNode step) {
    if (step.has("select")) {
      List<NamedExpression> columns = new ArrayList<>();
      for (JsonNode column : step.get("select")) {
        columns.addAll(columns(expressions, column));
      }
      return new Project(ScalaSeq.of(columns), plan);
    }
    if (step.has("filter")) {
      return new Filter(expressions.of(step.get("filter").textValue()), plan);
    }
    Attribute column = (Attribute) expressions.column(step.required("watermark").textValue());
    return new EventTimeWatermark(UUID.randomUUID(), column, new CalendarInterval(0, 0, 0), plan);
  }

  private static List<NamedExpression> columns(SimpleExpressions expressions, JsonNode column) {
    String sql = column.get("sql").textValue();
    if (sql.equals("*")) {
      return expressions.all();
    }
    Expression value = expressions.of(sql);
    if (column.get("name").isNull()) {
      return List.of((NamedExpression) value);
    }
    Option<Metadata> metadata = column.get("plain").booleanValue() ? Option.apply(Metadata.empty()) : Option.empty();
    return List.of(Frames.named(value, column.get("name").textValue(), metadata));
  }
}
