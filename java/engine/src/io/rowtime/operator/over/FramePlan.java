package io.rowtime.operator.over;

import io.rowtime.aggregate.AggregateFunction;
import io.rowtime.operator.spec.Bound;
import io.rowtime.operator.spec.Call;
import io.rowtime.operator.spec.Order;
import io.rowtime.operator.spec.OverSpec;
import io.rowtime.operator.spec.Window;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Groups the calls by how they are evaluated: over time, over single rows of a partition (one group per ORDER BY), or
 * when partitions are complete. If any call needs complete partitions, all are evaluated so, because rows have to wait
 * for that anyway.
 */
final class FramePlan {
  private static final Bound UNBOUNDED = new Bound(Bound.Kind.UNBOUNDED_PRECEDING, null);
  private static final Bound CURRENT_ROW = new Bound(Bound.Kind.CURRENT_ROW, null);

  private final OverSpec spec;
  private final List<Window> byTime = new ArrayList<>();
  private final Map<List<Order>, List<Window>> byRow = new LinkedHashMap<>();
  private final boolean whole;

  FramePlan(OverSpec spec) {
    this.spec = spec;
    whole = spec.windows().stream().anyMatch(this::needsWhole);
    if (whole && spec.closes() == null) {
      throw new UnsupportedOperationException("OVER that needs whole partitions, which never close: " + spec.windows());
    }
    for (Window window : spec.windows()) {
      List<Call> overTime = new ArrayList<>();
      for (Call call : window.calls()) {
        Window rows = overRows(window, call);
        if (rows == null) {
          overTime.add(call);
        } else {
          byRow.computeIfAbsent(window.order(), missing -> new ArrayList<>()).add(rows);
        }
      }
      if (!overTime.isEmpty()) {
        byTime.add(window.withCalls(overTime));
      }
    }
  }

  private boolean needsWhole(Window window) {
    boolean byTime = !window.order().isEmpty()
        && window.order().get(0).column().equals(spec.time()) && !window.order().get(0).descending();
    return !byTime || window.upper().kind() == Bound.Kind.UNBOUNDED_FOLLOWING
        || window.calls().stream().anyMatch(call -> AggregateFunction.reads(call.function()) == AggregateFunction.Reads.PARTITION);
  }

  /** Returns the window over ROWS that is equivalent to the call's window; null if the call needs a RANGE. */
  static Window overRows(Window window, Call call) {
    List<Call> calls = List.of(call);
    switch (AggregateFunction.reads(call.function())) {
      case BEFORE -> {
        return new Window(window.order(), true, UNBOUNDED, CURRENT_ROW, calls);
      }
      case EARLIER -> {
        Bound row = new Bound(Bound.Kind.PRECEDING, BigDecimal.valueOf(call.ignoreNulls() ? 1 : call.number()));
        return new Window(window.order(), true, call.ignoreNulls() ? UNBOUNDED : row, row, calls);
      }
      case LATER -> {
        if (call.ignoreNulls()) {
          throw new UnsupportedOperationException("LEAD … IGNORE NULLS OVER on a stream is not supported");
        }
        Bound row = new Bound(Bound.Kind.FOLLOWING, BigDecimal.valueOf(call.number()));
        return new Window(window.order(), true, row, row, calls);
      }
      default -> {
        return window.rows() ? window.withCalls(calls) : null;
      }
    }
  }

  boolean needsWholePartitions() {
    return whole;
  }

  List<Window> byTime() {
    return byTime;
  }

  Collection<List<Window>> byRow() {
    return byRow.values();
  }

  /** Returns whether a window treats all rows of one time together. */
  boolean peers() {
    return byTime.stream().anyMatch(window -> window.upper().kind() == Bound.Kind.FOLLOWING
            || window.upper().kind() == Bound.Kind.PRECEDING && window.upper().distance() == 0)
        || byRow.keySet().stream().anyMatch(order -> order.size() > 1);
  }

  /** Returns how much later than the bound rows are emitted by frames over time. */
  long grace() {
    long following = byTime.stream().mapToLong(window -> window.upper().distance()).max().orElse(0);
    return following > 0 ? following + 1 : 0;
  }
}
