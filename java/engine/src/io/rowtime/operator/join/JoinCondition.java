package io.rowtime.operator.join;

import org.apache.spark.sql.catalyst.expressions.BasePredicate;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.JoinedRow;
import org.apache.spark.sql.catalyst.expressions.Predicate;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;

/** What a join requires of a left and a right row besides equal keys. Spark prepares it when the first pair is compared. */
final class JoinCondition {
  private final Expression condition;
  private final JoinedRow both = new JoinedRow();
  private BasePredicate predicate;

  /** @param condition over the columns of a left and a right row, by number; null for none */
  JoinCondition(Expression condition) {
    this.condition = condition;
  }

  /** Returns whether all rows of a key match. */
  boolean isEmpty() {
    return condition == null;
  }

  /** Returns whether the rows match; there must be a condition. */
  boolean matches(UnsafeRow left, UnsafeRow right) {
    if (predicate == null) {
      predicate = Predicate.create(condition);
      predicate.initialize(0);
    }
    return predicate.eval(both.apply(left, right));
  }
}
