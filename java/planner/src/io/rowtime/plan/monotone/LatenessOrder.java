package io.rowtime.plan.monotone;

import io.rowtime.plan.rel.LatenessFilter;
import java.util.ArrayList;
import java.util.List;

/** LATENESS on columns of a view: they increase, with that disorder, whatever their order was below. */
final class LatenessOrder implements RelOrder<LatenessFilter> {
  private final int clock;

  /** @param clock index of the column that is the clock of the query, or -1 if the clock comes from the sources */
  LatenessOrder(int clock) {
    this.clock = clock;
  }

  @Override public NodeOrder derive(LatenessFilter filter, List<NodeOrder> inputs) {
    NodeOrder input = inputs.get(0);
    List<FieldOrder> fields = new ArrayList<>(input.fields());
    filter.amounts().forEach((index, amount) -> {
      long disorder = FieldOrder.disorder(amount);
      if (index == clock) {
        fields.set(index, FieldOrder.rowtime(disorder));
      } else if (!fields.get(index).monotonicity().increasing()) {
        fields.set(index, FieldOrder.of(Monotonicity.INCREASING, disorder));
      }
    });
    return clock < 0 ? input.withFields(fields) : new NodeOrder(fields, List.of(), clock);
  }
}
