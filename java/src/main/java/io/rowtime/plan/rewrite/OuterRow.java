package io.rowtime.plan.rewrite;

import java.util.Set;
import java.util.function.Function;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.CorrelationId;
import org.apache.calcite.rex.RexCorrelVariable;
import org.apache.calcite.rex.RexFieldAccess;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexShuttle;

/**
 * The row around a query, to whose columns the query refers.
 *
 * @param input what has these columns
 * @param names under which the query knows the row
 */
record OuterRow(RelNode input, Set<CorrelationId> names) {
  /** An expression of the query with the row's columns as those of {@link #input}; its other references stay. */
  RexNode inline(RexNode expression) {
    return inline(expression, ref -> ref);
  }

  /** The same, with {@code own} in the place of references to the columns of the query's own. */
  RexNode inline(RexNode expression, Function<RexInputRef, RexNode> own) {
    return expression.accept(new RexShuttle() {
      @Override public RexNode visitInputRef(RexInputRef ref) {
        return own.apply(ref);
      }

      @Override public RexNode visitFieldAccess(RexFieldAccess access) {
        return access.getReferenceExpr() instanceof RexCorrelVariable variable && names.contains(variable.id)
            ? RexInputRef.of(access.getField().getIndex(), input.getRowType()) : super.visitFieldAccess(access);
      }
    });
  }
}
