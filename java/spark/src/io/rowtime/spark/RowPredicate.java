package io.rowtime.spark;

import java.util.List;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;

/** A predicate that must be evaluated once for each row, and in its place: other filters must not run before it. */
public abstract class RowPredicate extends JavaExpression {
  private static final long serialVersionUID = 1L;

  protected RowPredicate(List<Expression> children) {
    super(children);
  }

  @Override public final boolean deterministic() {
    return false;
  }

  @Override public final DataType dataType() {
    return DataTypes.BooleanType;
  }
}
