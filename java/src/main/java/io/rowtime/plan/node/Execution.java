package io.rowtime.plan.node;

import io.rowtime.operator.spec.OperatorSpec;
import java.util.List;

/**
 * How one of rowtime's operators computes a node.
 *
 * @param spec what the operator does; it has names for the columns of its input: c0, c1, …
 * @param outputs the columns of the node, over those that the operator makes
 */
public record Execution(List<Input> inputs, OperatorSpec spec, List<Expression> outputs) {
  /**
   * An input of the operator.
   *
   * @param copies numbers: the operator gets each row once for each of them; null for each row once, without a number
   * @param columns the columns of the operator's input, over those of the node's
   */
  public record Input(List<Integer> copies, List<Expression> columns) {}
}
