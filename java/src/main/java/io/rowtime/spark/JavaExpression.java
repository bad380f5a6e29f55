package io.rowtime.spark;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.catalyst.expressions.Expression;
import scala.collection.immutable.IndexedSeq;
import scala.collection.immutable.Seq;
import scala.jdk.javaapi.CollectionConverters;

/** An expression of Spark's that is written in Java, over any number of others, and is never NULL. */
public abstract class JavaExpression extends Expression implements Serializable {
  private static final long serialVersionUID = 1L;

  // No LeafExpression and the like: javac does not take Scala's for complete ones.
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

  /** The same expression over others. */
  protected abstract Expression over(List<Expression> others);

  @Override public final Seq<Expression> children() {
    return CollectionConverters.asScala(children).toSeq();
  }

  @Override public final Expression withNewChildrenInternal(IndexedSeq<Expression> others) {
    return over(new ArrayList<>(CollectionConverters.asJava(others)));
  }

  @Override public final boolean nullable() {
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
