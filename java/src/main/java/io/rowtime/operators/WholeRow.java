package io.rowtime.operators;

import java.io.Serializable;
import java.util.List;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.codegen.CodegenContext;
import org.apache.spark.sql.catalyst.expressions.codegen.ExprCode;
import org.apache.spark.sql.catalyst.expressions.codegen.FalseLiteral$;
import org.apache.spark.sql.catalyst.expressions.codegen.JavaCode;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.ObjectType;
import scala.collection.immutable.IndexedSeq;
import scala.collection.immutable.Seq;
import scala.jdk.javaapi.CollectionConverters;

/** The row that an expression is evaluated over, itself: as it lies in memory, with all its columns. */
public final class WholeRow extends Expression implements Serializable {
  private static final long serialVersionUID = 1L;
  private static final DataType TYPE = new ObjectType(InternalRow.class);

  @Override public boolean nullable() {
    return false;
  }

  @Override public DataType dataType() {
    return TYPE;
  }

  @Override public Object eval(InternalRow input) {
    return input;
  }

  @Override public ExprCode doGenCode(CodegenContext context, ExprCode code) {
    return ExprCode.apply(FalseLiteral$.MODULE$, JavaCode.variable(context.INPUT_ROW(), InternalRow.class));
  }

  // No LeafExpression: javac does not take Scala's for a complete one.
  @Override public Seq<Expression> children() {
    return CollectionConverters.asScala(List.<Expression>of()).toSeq();
  }

  @Override public Expression withNewChildrenInternal(IndexedSeq<Expression> children) {
    return this;
  }

  @Override public int productArity() {
    return 0;
  }

  @Override public Object productElement(int n) {
    throw new IndexOutOfBoundsException(n);
  }

  @Override public boolean canEqual(Object other) {
    return other instanceof WholeRow;
  }

  @Override public boolean equals(Object other) {
    return other instanceof WholeRow;
  }

  @Override public int hashCode() {
    return WholeRow.class.hashCode();
  }
}
