package io.rowtime.over;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Sorts the calls of all windows by how they are evaluated. */
final class Routes {
  /** Functions of the rows of a partition, not of a frame. */
  private static final Set<String> BY_ROW = Set.of("LAG", "LEAD", "ROW_NUMBER", "RANK", "DENSE_RANK");
  private static final Set<String> WHOLE = Set.of("PERCENT_RANK", "CUME_DIST", "NTILE");

  private final Spec spec;
  private final List<Spec.Window> byTime = new ArrayList<>();

  Routes(Spec spec) {
    this.spec = spec;
    for (Spec.Window window : spec.windows()) {
      if (needsWhole(window)) {
        throw new UnsupportedOperationException("OVER that needs whole partitions is not supported yet: " + window);
      }
      for (Spec.Call call : window.calls()) {
        if (window.rows() || BY_ROW.contains(call.function())) {
          throw new UnsupportedOperationException(call.function() + " over ROWS is not supported yet");
        }
      }
      byTime.add(window);
    }
  }

  private boolean needsWhole(Spec.Window window) {
    boolean byTime = spec.time() != null && !window.order().isEmpty()
        && window.order().get(0).column().equals(spec.time()) && !window.order().get(0).descending();
    return !byTime || window.upper().kind() == Spec.Kind.UNBOUNDED_FOLLOWING
        || window.calls().stream().anyMatch(call -> WHOLE.contains(call.function()));
  }

  List<Spec.Window> byTime() {
    return byTime;
  }

  /** Whether some window takes all rows of one time together. */
  boolean peers() {
    return byTime.stream().anyMatch(window -> window.upper().kind() == Spec.Kind.FOLLOWING
        || window.upper().kind() == Spec.Kind.PRECEDING && window.upper().distance() == 0);
  }
}
