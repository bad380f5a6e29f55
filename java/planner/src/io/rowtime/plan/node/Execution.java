package io.rowtime.plan.node;

import io.rowtime.operator.spec.OperatorSpec;
import java.util.List;

/**
 * How rowtime's operators compute a node.
 *
 * @param steps operators, each of which reads what the one before it makes
 * @param outputs the columns of the node, over those that the last operator makes; so are the next two
 * @param rowtime ROWTIME, if rows carry it though it is not among the columns; null if they do not
 * @param arrival the number of a row in order of arrival; null if rows have none
 * @param change how often a row is added or retracted; null if rows are only added
 * @param order the columns by which rows are sorted; empty if ROWTIME is their only order
 */
public record Execution(List<Step> steps, List<Expression> outputs, Expression rowtime, Expression arrival, Expression change,
    List<Integer> order) {
  /**
   * A run of an operator.
   *
   * @param spec what the operator does; it has names for the columns of its inputs: c0, c1, … of the first one, and d0, d1, … of the
   *     second one
   * @param expressions what the operator evaluates itself: the condition of a join over the columns of both inputs, if there is one; the
   *     arguments of a function
   */
  public record Step(List<Input> inputs, OperatorSpec spec, List<Expression> expressions) {}

  /**
   * An input of an operator.
   *
   * @param copies numbers: the operator gets each row once for each of them; null for each row once, without a number
   * @param columns the columns of the operator's input, over those of the node's input, or of the step before
   * @param source the number of the scan whose own bounds are those of the input; null if the operator goes by the query's watermark
   */
  public record Input(List<Integer> copies, List<Expression> columns, Integer source) {}
}
