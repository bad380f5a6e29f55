package io.rowtime.plan.progress;

import io.rowtime.plan.monotone.NodeOrder;
import io.rowtime.plan.monotone.PartitionClosing;
import io.rowtime.plan.monotone.WindowTiming;
import io.rowtime.plan.rel.TopN;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Aggregate;
import org.apache.calcite.rel.core.Filter;
import org.apache.calcite.rel.core.Project;
import org.apache.calcite.rel.core.Sort;
import org.apache.calcite.rel.core.Union;
import org.apache.calcite.rel.core.Window;

/** Determines whether windows emit rows in another order than they arrive, so that only ROWTIME still orders them. */
public final class WindowOrderliness {
  private final PlannedQuery plan;

  public WindowOrderliness(PlannedQuery plan) {
    this.plan = plan;
  }

  /**
   * Returns whether rows of the result can be emitted an unlimited time after later rows, because they wait for rows of
   * their own partition.
   */
  public boolean comesBehind() {
    RelNode rel = plan.rel();
    while (rel instanceof Project || rel instanceof Filter) {
      rel = rel.getInput(0);
    }
    boolean behind = false;
    for (; rel instanceof Window window && plan.streams().contains(rel); rel = rel.getInput(0)) {
      behind |= window.groups.stream().anyMatch(group -> !group.keys.isEmpty() && WindowTiming.waitsForRows(group));
    }
    return behind;
  }

  /**
   * Returns how far, at most, rows of the result can be behind earlier ones because a row is in several windows, and leaves when each
   * of them is complete; in milliseconds.
   */
  public long behindOfWindows() {
    long behind = 0;
    for (RelNode rel = plan.rel(); rel.getInputs().size() == 1; rel = rel.getInput(0)) {
      NodeOrder input = plan.orders().of(rel.getInput(0));
      if (rel instanceof Window window && plan.streams().contains(rel)) {
        WindowTiming timing = new WindowTiming(window, input);
        behind = Math.max(behind, timing.behind());
        if (timing.sorts()) {
          break;
        }
      } else if (rel instanceof TopN rows && plan.streams().contains(rel)) {
        // Whatever order rows arrive in, they leave in that of their partitions.
        PartitionClosing closing = new PartitionClosing(input);
        return Math.max(behind, closing.behind(closing.key(rows.partition())));
      } else if (!(rel instanceof Project || rel instanceof Filter)) {
        break;
      }
    }
    return behind;
  }

  /** Returns whether rows have been reordered before they arrive at a group of a window. */
  public boolean mixes(Window window, Window.Group group) {
    WindowTiming timing = new WindowTiming(window, plan.orders().of(window.getInput()));
    for (WindowTiming.Pass pass : timing.passes()) {
      if (pass.groups().contains(group)) {
        break;
      }
      if (pass.groups().stream().anyMatch(other -> mixes(window, timing, other))) {
        return true;
      }
    }
    return mixes(window.getInput());
  }

  private boolean mixes(RelNode rel) {
    if (rel instanceof Aggregate || rel instanceof Union || rel instanceof Sort || rel.getInputs().size() != 1) {
      return false;
    }
    if (rel instanceof Window window && plan.streams().contains(window)) {
      WindowTiming timing = new WindowTiming(window, plan.orders().of(window.getInput()));
      if (window.groups.stream().anyMatch(group -> mixes(window, timing, group))) {
        return true;
      }
    }
    return mixes(rel.getInput(0));
  }

  /**
   * Returns whether the group reorders rows. A row that waits for later rows of its partition is emitted after rows of
   * other partitions. Where LATENESS lets ROWTIME go back, a row that waits for a time derived from it does so too.
   */
  private boolean mixes(Window window, WindowTiming timing, Window.Group group) {
    NodeOrder input = plan.orders().of(window.getInput());
    int key = timing.arrivalKey(group);
    boolean coarse = key >= 0 && timing.relative(key) != null && !timing.relative(key).isEmpty();
    boolean late = input.rowtime() >= 0 && input.fields().get(input.rowtime()).disorder() > 0;
    return !group.keys.isEmpty() && WindowTiming.waitsForRows(group) || coarse && late;
  }
}
