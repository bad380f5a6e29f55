package io.rowtime.spark;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.catalyst.expressions.Expression;
import scala.collection.immutable.IndexedSeq;
import scala.collection.immutable.Seq;
import scala.jdk.javaapi.CollectionConverters;

/** A Spark expression written in Java, with any number of children; it is never NULL unless it says so. */
public abstract class JavaExpression extends Expression implements Serializable {
  private static final long serialVersionUID = 1L;

  // It does not extend LeafExpression etc., because javac considers Scala's classes incomplete.
  private final List<Expression> children;

  protected JavaExpression(List<Expression> children) {
    this.children = children;
  }

  protected final Expression child(int index) {
    return children.get(index);
  }

  protected final int size() {
    return children.size();
  }

  /** Returns the same expression over other children. */
  protected abstract Expression over(List<Expression> others);

  @Override public final Seq<Expression> children() {
    return CollectionConverters.asScala(children).toSeq();
  }

  @Override public final Expression withNewChildrenInternal(IndexedSeq<Expression> others) {
    return over(new ArrayList<>(CollectionConverters.asJava(others)));
  }

  @Override public boolean nullable() {
    return false;
  }

  @Override public final int productArity() {
    return 0;
  }

  @Override public final Object productElement(int n) {
    throw new IndexOutOfBoundsException(n);
  }

  @Override public final boolean canEqual(Object other) {
    return getClass().isInstance(other);
  }

  @Override public String toString() {
    return prettyName() + children;
  }
}
