package io.rowtime.plan.monotone;

import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.rel.RelFieldCollation;
import org.apache.calcite.rel.core.Sort;

/** ORDER BY: the rows come by its leading key; of what followed another column's order nothing stays but the clock's. */
final class SortOrder implements RelOrder<Sort> {

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
      // What was out of order within its lateness has been sorted.
      fields.add(kept ? new FieldOrder(order.monotonicity(), i == leading ? 0 : order.disorder(), order.steps()) : FieldOrder.NONE);
    }
    return input.withFields(fields);
  }
}
