package io.rowtime.plan.progress;

import io.rowtime.plan.clock.ClockStep;
import io.rowtime.plan.monotone.OrderAnalysis;
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
 * Determines how far apart the sources of a join may be. The clock of a query is the least bound of its sources. A join
 * that matches a row with rows of the next hour needs one source an hour further than the other: the clock subtracts an
 * hour from that source's bound, so that it is as far as the join, and does not lag behind a source that has advanced
 * far enough.
 *
 * <p>Shifts count; FLOOR counts as no shift, as it only makes a bound earlier. If there is anything else below a join,
 * such as CEIL or the local time of a zone, all bounds count unchanged.
 */
final class SourceClocks {
  private final StreamingNodes streams;
  private final OrderAnalysis usual;
  /** How far the bound of the plan is ahead of the bound of a source, in milliseconds. */
  private final Map<RelNode, Long> later = new IdentityHashMap<>();
  private boolean counted = true;

  private SourceClocks(StreamingNodes streams, OrderAnalysis usual) {
    this.streams = streams;
    this.usual = usual;
  }

  /** @param usual the orders if all bounds count unchanged */
  static OrderAnalysis of(RelNode plan, StreamingNodes streams, OrderAnalysis usual) {
    SourceClocks sources = new SourceClocks(streams, usual);
    sources.visit(plan, 0, false);
    if (!sources.counted || sources.later.isEmpty() || sources.later.values().stream().distinct().count() == 1) {
      return usual;
    }
    long most = Collections.max(sources.later.values());
    Map<RelNode, Long> ahead = new IdentityHashMap<>();
    sources.later.forEach((scan, shift) -> ahead.put(scan, most - shift));
    OrderAnalysis orders = OrderAnalysis.ahead(streams, ahead);
    return orders.of(plan).hasClock() ? orders : usual;
  }

  private void visit(RelNode rel, long shift, boolean joined) {
    if (!streams.contains(rel)) {
      return;
    }
    if (rel instanceof TableScan scan) {
      later.put(scan, shift);
    } else if (rel instanceof IntervalJoin join) {
      visit(join.getLeft(), shift + begins(join.leftInterval()), true);
      visit(join.getRight(), shift + begins(join.rightInterval()), true);
    } else if (rel instanceof TemporalJoin join) {
      visit(join.getLeft(), shift, true);
      visit(join.getRight(), shift - join.version().ahead(), true);
    } else {
      rel.getInputs().forEach(input -> visit(input, joined ? shift + shift(rel, input) : shift, joined));
    }
  }

  private static long begins(IntervalJoin.Interval interval) {
    return interval.beginsWithWindow() ? 0 : interval.earliest();
  }

  /** Returns how far the bound of a node is ahead of its input's bound, in milliseconds. */
  private long shift(RelNode rel, RelNode input) {
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
