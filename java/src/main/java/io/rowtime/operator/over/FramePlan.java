package io.rowtime.operator.over;

import io.rowtime.operator.Spec;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Sorts the calls by how they are evaluated: over the time, over single rows of a partition (with one group for each
 * ORDER BY), or once partitions are complete; then all are, as rows have to wait for that anyway.
 */
final class FramePlan {
  private static final Set<String> WHOLE = Set.of("PERCENT_RANK", "CUME_DIST", "NTILE");
  private static final Spec.Bound UNBOUNDED = new Spec.Bound(Spec.Kind.UNBOUNDED_PRECEDING, null);
  private static final Spec.Bound CURRENT_ROW = new Spec.Bound(Spec.Kind.CURRENT_ROW, null);

  private final Spec spec;
  private final List<Spec.Window> byTime = new ArrayList<>();
  private final Map<List<Spec.Order>, List<Spec.Window>> byRow = new LinkedHashMap<>();
  private final boolean whole;

  FramePlan(Spec spec) {
    this.spec = spec;
    whole = spec.windows().stream().anyMatch(this::needsWhole);
    if (whole && spec.closes() == null) {
      throw new UnsupportedOperationException("OVER that needs whole partitions, which never close: " + spec.windows());
    }
    for (Spec.Window window : spec.windows()) {
      List<Spec.Call> overTime = new ArrayList<>();
      for (Spec.Call call : window.calls()) {
        Spec.Window rows = overRows(window, call);
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

  private boolean needsWhole(Spec.Window window) {
    boolean byTime = spec.time() != null && !window.order().isEmpty()
        && window.order().get(0).column().equals(spec.time()) && !window.order().get(0).descending();
    return !byTime || window.upper().kind() == Spec.Kind.UNBOUNDED_FOLLOWING
        || window.calls().stream().anyMatch(call -> WHOLE.contains(call.function()));
  }

  /** The window over ROWS that gives what the call asks for, or null where it asks for a RANGE. */
  static Spec.Window overRows(Spec.Window window, Spec.Call call) {
    List<Spec.Call> calls = List.of(call);
    switch (call.function()) {
      case "ROW_NUMBER", "RANK", "DENSE_RANK" -> {
        return new Spec.Window(window.order(), true, UNBOUNDED, CURRENT_ROW, calls);
      }
      case "LAG" -> {
        Spec.Bound row = new Spec.Bound(Spec.Kind.PRECEDING, BigDecimal.valueOf(call.ignoreNulls() ? 1 : call.offset()));
        return new Spec.Window(window.order(), true, call.ignoreNulls() ? UNBOUNDED : row, row, calls);
      }
      case "LEAD" -> {
        if (call.ignoreNulls()) {
          throw new UnsupportedOperationException("LEAD … IGNORE NULLS OVER on a stream is not supported");
        }
        Spec.Bound row = new Spec.Bound(Spec.Kind.FOLLOWING, BigDecimal.valueOf(call.offset()));
        return new Spec.Window(window.order(), true, row, row, calls);
      }
      default -> {
        return window.rows() ? window.withCalls(calls) : null;
      }
    }
  }

  boolean whole() {
    return whole;
  }

  List<Spec.Window> byTime() {
    return byTime;
  }

  Collection<List<Spec.Window>> byRow() {
    return byRow.values();
  }

  /** Whether some window takes all rows of one time together. */
  boolean peers() {
    return byTime.stream().anyMatch(window -> window.upper().kind() == Spec.Kind.FOLLOWING
            || window.upper().kind() == Spec.Kind.PRECEDING && window.upper().distance() == 0)
        || byRow.keySet().stream().anyMatch(order -> order.size() > 1);
  }

  /** How much later than the bound says rows come out of the frames over time. */
  long grace() {
    long ahead = byTime.stream().mapToLong(window -> window.upper().distance()).max().orElse(0);
    return ahead > 0 ? ahead + 1 : 0;
  }
}
