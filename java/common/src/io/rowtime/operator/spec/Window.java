package io.rowtime.operator.spec;

import java.io.Serializable;
import java.util.List;

/** A frame, over ROWS or as a RANGE, and the calls over it. */
public record Window(List<Order> order, boolean rows, Bound lower, Bound upper, List<Call> calls) implements Serializable {
  public Window withCalls(List<Call> others) {
    return new Window(order, rows, lower, upper, others);
  }
}
