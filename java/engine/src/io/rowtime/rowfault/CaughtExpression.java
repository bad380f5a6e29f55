package io.rowtime.rowfault;

import java.util.List;
import org.apache.spark.sql.catalyst.expressions.ConditionalExpression;
import org.apache.spark.sql.catalyst.expressions.Expression;
import scala.collection.immutable.Seq;
import scala.jdk.javaapi.CollectionConverters;

/**
 * An expression that catches the errors of its children. It is conditional, so that Spark computes no part of it in advance,
 * where an error would not be caught.
 */
interface CaughtExpression extends ConditionalExpression {
  @Override default Seq<Expression> alwaysEvaluatedInputs() {
    return CollectionConverters.asScala(List.<Expression>of()).toSeq();
  }

  @Override default Seq<Seq<Expression>> branchGroups() {
    return CollectionConverters.asScala(List.<Seq<Expression>>of()).toSeq();
  }

  @Override default CaughtExpression withNewAlwaysEvaluatedInputs(Seq<Expression> inputs) {
    return this;
  }
}
