package io.rowtime.spark;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.expressions.Alias;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.BoundReference;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.NamedExpression;
import org.apache.spark.sql.catalyst.expressions.RuntimeReplaceable;
import org.apache.spark.sql.catalyst.plans.logical.Project;
import org.apache.spark.sql.types.StructType;
import scala.jdk.javaapi.CollectionConverters;
import scala.runtime.AbstractPartialFunction;

/** Parses Spark SQL over some columns to expressions that an operator can evaluate itself. */
public final class BoundExpressions {
  private BoundExpressions() {}

  /** Returns the expressions, with each column bound to its index in a row. */
  public static Expression[] of(SparkSession spark, StructType schema, List<String> sql) {
    Project project = (Project) spark.createDataFrame(List.<Row>of(), schema).selectExpr(sql.toArray(String[]::new)).queryExecution().analyzed();
    List<Expression> bound = new ArrayList<>();
    for (NamedExpression named : CollectionConverters.asJava(project.projectList())) {
      Expression value = named instanceof Alias alias ? alias.child() : (Expression) named;
      bound.add(bound(value, Arrays.asList(schema.fieldNames())));
    }
    return bound.toArray(Expression[]::new);
  }

  private static Expression bound(Expression value, List<String> names) {
    return value.transformUp(new AbstractPartialFunction<Expression, Expression>() {
      @Override public boolean isDefinedAt(Expression expression) {
        return expression instanceof Attribute || expression instanceof RuntimeReplaceable;
      }

      @Override public Expression apply(Expression expression) {
        if (expression instanceof RuntimeReplaceable replaceable) {
          return bound(replaceable.replacement(), names);
        }
        Attribute attribute = (Attribute) expression;
        return new BoundReference(names.indexOf(attribute.name()), attribute.dataType(), true);
      }
    });
  }
}
