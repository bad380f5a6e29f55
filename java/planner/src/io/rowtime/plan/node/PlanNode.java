package io.rowtime.plan.node;

import io.rowtime.plan.clock.ClockStep;
import java.util.ArrayList;
import java.util.List;

/**
 * A node of a plan, with what follows from the logical plan. {@link PhysicalNode} adds what follows from the nodes around it.
 *
 * @param rowtime the name of the column that carries ROWTIME; null if none does
 * @param clock how the bound of its ROWTIME follows from that of the sources; null if no bound is known, and for a relation
 * @param bounds the columns whose bounds are known
 * @param orders the columns whose order is known
 * @param origin the parts of the statement that it implements
 */
public record PlanNode(Operator operator, List<PlanNode> inputs, List<Column> columns, String rowtime, StateBound state, boolean streaming,
    List<ClockStep> clock, List<Claims.Bound> bounds, List<Claims.Ordered> orders, List<Place> origin) {

  public PlanOperator kind() {
    return operator.kind();
  }

  public PlanNode input(int number) {
    return inputs.get(number);
  }

  /** Returns the column with ROWTIME; null if there is none. */
  public Column rowtimeColumn() {
    int index = rowtimeIndex();
    return index < 0 ? null : columns.get(index);
  }

  /** Returns the number of the column with ROWTIME; -1 if there is none. */
  public int rowtimeIndex() {
    for (int i = 0; i < columns.size(); i++) {
      if (columns.get(i).name().equals(rowtime)) {
        return i;
      }
    }
    return -1;
  }

  public PlanNode withOperator(Operator other) {
    return new PlanNode(other, inputs, columns, rowtime, state, streaming, clock, bounds, orders, origin);
  }

  public PlanNode withInputs(List<PlanNode> others) {
    return new PlanNode(operator, others, columns, rowtime, state, streaming, clock, bounds, orders, origin);
  }

  /** Returns it with other branches, which implement further parts of the statement. */
  public PlanNode withBranches(List<PlanNode> branches, List<Place> further) {
    List<Place> places = new ArrayList<>(origin);
    places.addAll(further);
    return new PlanNode(operator, branches, columns, rowtime, state, streaming, clock, bounds, orders, places);
  }

  /** Returns it without a bound of its ROWTIME. */
  public PlanNode withoutClock() {
    return new PlanNode(operator, inputs, columns, rowtime, state, streaming, null, bounds, orders, origin);
  }
}
