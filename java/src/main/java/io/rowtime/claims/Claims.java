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
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.CreateNamedStruct;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.Literal;
import org.apache.spark.sql.catalyst.plans.logical.Filter;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import scala.jdk.javaapi.CollectionConverters;

/** Checks the rows of DataFrames, called from Python. */
public final class Claims {
  private Claims() {}

  /** Returns the same rows; the query fails with the first one that violates a claim. */
  public static Dataset<Row> check(Dataset<Row> rows, String json) {
    ClaimsSpec spec = OperatorSpec.read(ClaimsSpec.class, json);
    LogicalPlan plan = rows.queryExecution().analyzed();
    Map<String, Expression> byName = new HashMap<>();
    for (Attribute attribute : CollectionConverters.asJava(plan.output())) {
      byName.put(attribute.name(), attribute);
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
