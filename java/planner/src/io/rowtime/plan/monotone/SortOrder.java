package io.rowtime.plan.monotone;

import io.rowtime.plan.clock.ClockStep;
import io.rowtime.plan.clock.Modulus;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.apache.calcite.rel.RelFieldCollation;
import org.apache.calcite.rel.core.Sort;

/**
 * ORDER BY emits rows in the order of its leading key. Columns that followed another column's order lose it, except the
 * clock. By {@code FLOOR(ROWTIME TO HOUR)}, all rows of an hour wait for its end, and the clock is set back to the
 * start of the hour.
 */
public final class SortOrder implements RelOrder<Sort> {

  @Override public NodeOrder derive(Sort sort, List<NodeOrder> inputs) {
    NodeOrder input = inputs.get(0);
    List<RelFieldCollation> keys = sort.getCollation().getFieldCollations();
    if (keys.isEmpty() || !input.hasClock()) {
      return input;
    }
    int leading = keys.get(0).getFieldIndex();
    List<FieldOrder> fields = new ArrayList<>();
    for (int i = 0; i < input.fields().size(); i++) {
      FieldOrder order = input.fields().get(i);
      boolean kept = i == leading || order.monotonicity() == Monotonicity.CONSTANT
          || order.derivesFromRowtime() && order.steps().equals(input.fields().get(leading).steps());
      // Values that were out of order within their lateness are now sorted, and those that differ from them only by
      // their spread nearly so.
      fields.add(!kept ? FieldOrder.NONE : i == leading ? order.withDisorder(0)
          : order.withDisorder(Modulus.plus(order.spread(), input.fields().get(leading).spread())));
    }
    return new NodeOrder(fields, clock(input, leading), input.rowtime());
  }

  /**
   * Returns a clock that is never ahead of a row that waits until the value of its leading key closes; null if no bound
   * can be derived.
   */
  private static List<ClockStep> clock(NodeOrder input, int leading) {
    PartitionClosing values = new PartitionClosing(input);
    if (values.steps(leading) == null) {
      return input.clock();
    }
    List<ClockStep> waiting = values.waitingInOrder(leading);
    return waiting == null ? null : Stream.concat(input.clock().stream(), waiting.stream()).toList();
  }

  /**
   * Returns the steps from the clock of the input to the leading key; null if the key does not follow from the clock.
   */
  public static List<ClockStep> steps(Sort sort, OrderAnalysis orders) {
    if (sort.getCollation().getFieldCollations().isEmpty()) {
      return null;
    }
    NodeOrder input = orders.of(sort.getInput());
    return new PartitionClosing(input).steps(sort.getCollation().getFieldCollations().get(0).getFieldIndex());
  }
}
