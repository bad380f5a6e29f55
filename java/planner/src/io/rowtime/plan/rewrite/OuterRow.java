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
 * The outer row of a correlated query.
 *
 * @param input the node that has the row's columns
 * @param names the correlation variables by which the query refers to the row
 */
record OuterRow(RelNode input, Set<CorrelationId> names) {
  /** Replaces the query's references to the outer row by references to {@link #input}; its other references stay. */
  RexNode inline(RexNode expression) {
    return inline(expression, ref -> ref);
  }

  /** Does the same, and replaces the query's own columns by {@code own}. */
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
