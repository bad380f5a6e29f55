package io.rowtime.plan.progress;

import io.rowtime.plan.clock.ClockStep;
import io.rowtime.plan.monotone.Orders;
import io.rowtime.plan.monotone.StreamingNodes;
import io.rowtime.plan.rel.IntervalJoin;
import io.rowtime.plan.rel.TemporalJoin;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.TableScan;

/**
 * How far the sources of a join may be apart. The clock of a query is the least bound of its sources. Of a join that matches a
 * row with those of the next hour, one source is needed an hour further than the other: the clock counts its bound as an hour
 * less, so that it is as far as the join, and does not stand behind a source that has come far enough.
 *
 * <p>Shifts are counted, and FLOOR as none, as it only holds a bound back. Where something else lies below a join, CEIL or the
 * time of a zone, all bounds count as they are.
 */
final class SourceClocks {
  private final StreamingNodes streams;
  private final Orders usual;
  /** How many milliseconds later than that of a source the bound of the plan is. */
  private final Map<RelNode, Long> later = new IdentityHashMap<>();
  private boolean counted = true;

  private SourceClocks(StreamingNodes streams, Orders usual) {
    this.streams = streams;
    this.usual = usual;
  }

  /** @param usual the orders where all bounds count as they are */
  static Orders of(RelNode plan, StreamingNodes streams, Orders usual) {
    SourceClocks sources = new SourceClocks(streams, usual);
    sources.visit(plan, 0, false);
    if (!sources.counted || sources.later.isEmpty() || sources.later.values().stream().distinct().count() == 1) {
      return usual;
    }
    long most = Collections.max(sources.later.values());
    Map<RelNode, Long> ahead = new IdentityHashMap<>();
    sources.later.forEach((scan, shift) -> ahead.put(scan, most - shift));
    Orders orders = Orders.ahead(streams, ahead);
    return orders.of(plan).hasClock() ? orders : usual;
  }

  private void visit(RelNode rel, long shift, boolean joined) {
    if (!streams.contains(rel)) {
      return;
    }
    if (rel instanceof TableScan scan) {
      later.put(scan, shift);
    } else if (rel instanceof IntervalJoin join) {
      visit(join.getLeft(), shift + join.leftInterval().from(), true);
      visit(join.getRight(), shift + join.rightInterval().from(), true);
    } else if (rel instanceof TemporalJoin join) {
      visit(join.getLeft(), shift, true);
      visit(join.getRight(), shift - join.version().shift(), true);
    } else {
      rel.getInputs().forEach(input -> visit(input, joined ? shift + moved(rel, input) : shift, joined));
    }
  }

  /** How many milliseconds later the bound of a node is than that of its input. */
  private long moved(RelNode rel, RelNode input) {
    if (!streams.contains(input)) {
      return 0;
    }
    List<ClockStep> clock = usual.of(rel).clock();
    List<ClockStep> below = usual.of(input).clock();
    if (clock == null || below == null || !isCounted(clock) || !isCounted(below)) {
      counted = false;
      return 0;
    }
    return rel.getInputs().size() > 1 ? 0 : ClockStep.furthest(clock) - ClockStep.furthest(below);
  }

  private static boolean isCounted(List<ClockStep> clock) {
    return clock.stream().allMatch(step -> step.function() == ClockStep.Function.SHIFT || step.function() == ClockStep.Function.FLOOR);
  }
}
