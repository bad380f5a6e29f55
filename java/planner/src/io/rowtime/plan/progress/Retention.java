package io.rowtime.plan.progress;

import io.rowtime.catalog.CatalogObject;
import io.rowtime.plan.clock.ClockStep;
import io.rowtime.plan.monotone.FieldOrder;
import io.rowtime.plan.monotone.NodeOrder;
import io.rowtime.plan.rel.HopWindows;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.apache.calcite.rel.RelNode;

/** How long rows are kept, by the clock of the streams below an operator. */
final class Retention {
  private final PlannedQuery plan;

  Retention(PlannedQuery plan) {
    this.plan = plan;
  }

  /**
   * Returns how long a row is kept: the length of its window, and how far the bound of its source is behind the latest
   * row.
   */
  Duration of(RelNode rel, FieldOrder order) {
    HopWindows hop = hop(rel, order.steps());
    Duration length = Duration.ofMillis(late(rel.getInput(0)) + (hop == null ? order.spread() : hop.period().size()));
    for (ClockStep step : order.steps()) {
      if (step.isWindow() && (hop == null || !isPane(step, hop.period()) && !hop.period().firstStart().contains(step))) {
        length = length.plus(Duration.ofMillis(step.longest()));
      }
    }
    return length;
  }

  /** Returns how far the clock is behind the latest row, in milliseconds; 0 for rows that have waited for it. */
  private long late(RelNode rel) {
    NodeOrder order = plan.orders().of(rel);
    boolean waited = order.rowtime() >= 0 && order.fields().get(order.rowtime()).disorder() == 0;
    int clock = plan.orders().clockColumn(rel);
    return waited || !plan.streams().contains(rel) ? 0 : clock >= 0 ? order.fields().get(clock).disorder()
        : rel.getInputs().stream().mapToLong(this::late).max().orElse(0);
  }

  /** Returns what the steps to the end of a window are called. */
  String window(RelNode rel, List<ClockStep> steps) {
    HopWindows hop = hop(rel, steps);
    int last = lastWindow(steps);
    if (hop == null && last < 0) {
      return "instant";
    }
    if (hop == null && steps.get(last).isCalendar()) {
      return steps.get(last).unit().name().toLowerCase(Locale.ROOT);
    }
    return "window of " + Duration.ofMillis(hop != null ? hop.period().size() : steps.get(last).millis());
  }

  private static int lastWindow(List<ClockStep> steps) {
    int last = steps.size() - 1;
    while (last >= 0 && !steps.get(last).isWindow()) {
      last--;
    }
    return last;
  }

  /**
   * Returns the HOP, at {@code rel} or below it, whose windows are identified by a time that follows from its clock by
   * {@code steps}; null if there is none.
   */
  private HopWindows hop(RelNode rel, List<ClockStep> steps) {
    if (rel instanceof HopWindows hop) {
      int start = hop.getInput().getRowType().getFieldCount();
      if (steps.subList(0, lastWindow(steps) + 1).equals(plan.orders().of(hop).fields().get(start).steps())) {
        return hop;
      }
    }
    return rel.getInputs().stream().map(input -> hop(input, steps)).filter(Objects::nonNull).findFirst().orElse(null);
  }

  /** Returns whether windows of HOP consist of whole windows of this step, which then do not extend the retention. */
  private static boolean isPane(ClockStep step, HopWindows.Period hop) {
    return step.function() == ClockStep.Function.FLOOR && !step.isCalendar() && hop.slide() % step.millis() == 0
        && hop.size() % step.millis() == 0 && Math.floorMod(hop.offset() - step.offset(), step.millis()) == 0;
  }

  /** Returns the column that is the clock of a node's sources, usually ROWTIME. */
  String clock(RelNode rel) {
    int column = plan.orders().clockColumn(rel);
    if (column >= 0) {
      return rel.getRowType().getFieldNames().get(column);
    }
    return rel.getInputs().stream().map(this::clock).findFirst().orElse(CatalogObject.ROWTIME);
  }
}
