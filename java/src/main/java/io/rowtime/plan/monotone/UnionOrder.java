package io.rowtime.plan.monotone;

import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.rel.core.SetOp;

/**
 * UNION ALL merges by ROWTIME, so only what follows from the branches' common clock keeps its order: two branches that
 * each count upwards do not do so together.
 */
final class UnionOrder implements RelOrder<SetOp> {

  @Override public NodeOrder derive(SetOp union, List<NodeOrder> inputs) {
    NodeOrder first = inputs.get(0);
    boolean sameClock = inputs.stream().allMatch(i -> i.hasClock() && i.clock().equals(first.clock()));
    List<FieldOrder> fields = new ArrayList<>();
    for (int i = 0; i < first.fields().size(); i++) {
      fields.add(sameClock ? common(inputs, i) : FieldOrder.NONE);
    }
    boolean sameColumn = inputs.stream().allMatch(i -> i.rowtime() == first.rowtime());
    return new NodeOrder(fields, sameClock ? first.clock() : null, sameColumn ? first.rowtime() : -1);
  }

  private static FieldOrder common(List<NodeOrder> inputs, int index) {
    FieldOrder first = inputs.get(0).fields().get(index);
    long disorder = 0;
    for (NodeOrder input : inputs) {
      FieldOrder order = input.fields().get(index);
      if (!order.derivesFromRowtime() || !order.steps().equals(first.steps())) {
        return FieldOrder.NONE;
      }
      disorder = Math.max(disorder, order.disorder());
    }
    return new FieldOrder(Monotonicity.INCREASING, disorder, first.steps());
  }
}
