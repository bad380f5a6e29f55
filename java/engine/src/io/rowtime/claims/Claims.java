package io.rowtime.claims;

import io.rowtime.operator.spec.ClaimsSpec;
import io.rowtime.operator.spec.OperatorSpec;
import io.rowtime.spark.Frames;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.catalyst.expressions.Alias;
import org.apache.spark.sql.catalyst.expressions.CreateNamedStruct;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.Literal;
import org.apache.spark.sql.catalyst.expressions.NamedExpression;
import org.apache.spark.sql.catalyst.plans.logical.Filter;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.plans.logical.Project;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import scala.jdk.javaapi.CollectionConverters;

/** Checks the rows of DataFrames, called from Python. */
public final class Claims {
  private Claims() {}

  /**
   * Records that a query has announced a bound.
   *
   * @param millis no ROWTIME of the query's result in a later micro-batch is before it
   */
  public static void announce(String query, long batch, long millis) {
    AnnouncedBounds.put(query, batch, millis * 1000);
  }

  /**
   * Returns rows that fail the query with the first one that violates a claim.
   *
   * @param rows a selection of all columns of some rows, and of the limits of the claims
   * @return the rows without the limits
   */
  public static Dataset<Row> check(Dataset<Row> rows, String json) {
    ClaimsSpec spec = OperatorSpec.read(ClaimsSpec.class, json);
    // The limits become part of the predicate: Spark plans every further node again in each micro-batch.
    Project selection = (Project) rows.queryExecution().analyzed();
    LogicalPlan plan = selection.child();
    Map<String, Expression> byName = new HashMap<>();
    for (NamedExpression selected : CollectionConverters.asJava(selection.projectList())) {
      byName.put(selected.name(), selected instanceof Alias alias ? alias.child() : (Expression) selected);
    }
    List<String> names = new ArrayList<>(spec.columns().stream().map(ClaimsSpec.ClaimedColumn::column).toList());
    spec.limits().forEach(limit -> names.add(limit.column()));
    StructType types = new StructType();
    List<Expression> parts = new ArrayList<>();
    for (String name : names) {
      Expression column = byName.get(name);
      types = types.add(name, column.dataType());
      parts.add(Literal.create(name, DataTypes.StringType));
      parts.add(column);
    }
    Expression struct = new CreateNamedStruct(CollectionConverters.asScala(parts).toSeq());
    return Frames.of(rows.sparkSession(), new Filter(new ClaimPredicate(new RowChecker(spec, types), List.of(struct)), plan));
  }
}
