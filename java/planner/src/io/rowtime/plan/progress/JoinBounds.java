package io.rowtime.plan.progress;

import io.rowtime.plan.clock.ClockStep;
import io.rowtime.plan.monotone.OrderAnalysis;
import io.rowtime.plan.node.StateBound;
import io.rowtime.plan.node.StateBound.Size;
import io.rowtime.plan.rel.IntervalJoin;
import io.rowtime.plan.rel.TemporalJoin;
import io.rowtime.plan.rel.UpdatingJoin;
import io.rowtime.plan.rewrite.LastMatches;
import java.time.Duration;
import java.util.Locale;
import org.apache.calcite.rel.core.Join;

/** What joins of two streams keep, and for how long. */
final class JoinBounds {
  private JoinBounds() {}

  static StateBound of(TemporalJoin join) {
    if (join.version().within() == null) {
      return new StateBound(Size.CONSTANT, null, "for each value of the " + (join.version().identity().isEmpty() ? "join's keys" : "primary key")
          + ", the latest version before the bound of the left input is kept; all later ones, until that bound has passed them; and rows of"
          + " the left input until the bound of the right one has passed the time of their version");
    }
    Duration within = Duration.ofMillis(Math.max(0, join.version().within()));
    return new StateBound(Size.WINDOW, within, "a row of the left input is kept until the next row of its keys is certain, at the latest until"
        + " the bound of the right one is " + past(within) + "; a row of the right input until the bound of the left one is past it");
  }

  static StateBound of(UpdatingJoin join, OrderAnalysis orders) {
    LastMatches last = LastMatches.of(join, orders);
    if (last.left() == null && last.right() == null) {
      return new StateBound(Size.UNBOUNDED, null, StateBounds.keeps(join));
    }
    String left = last.left() == null ? null : ends(join, 0, last.left());
    String right = last.right() == null ? null : ends(join, 1, last.right());
    if (left != null && right != null) {
      return new StateBound(Size.WINDOW, null, left + "; " + right);
    }
    return new StateBound(Size.UNBOUNDED, null, "all rows of the " + (left == null ? "left" : "right") + " input, by the join's keys: nothing limits when a match arrives; "
        + (left == null ? right : left));
  }

  private static String ends(Join join, int input, LastMatches.End end) {
    String column = "its " + StateBounds.readable(join.getInput(input).getRowType().getFieldNames().get(end.column()));
    Duration after = Duration.ofMillis(end.millis());
    String passes = after.isZero() ? " passes " : after.isNegative() ? " is past " + after.abs() + " before " : " is more than " + after + " past ";
    return "a row of the " + (input == 0 ? "left" : "right") + " input is kept until the bound of the " + (input == 0 ? "right" : "left") + " one" + passes + column;
  }

  static StateBound of(IntervalJoin join) {
    if (join.leftInterval().rows() > 0 || join.rightInterval().rows() > 0) {
      return new StateBound(Size.WINDOW, null, "a row of the left input is kept " + describeKept(join.leftInterval().rows(), "right")
          + ", a row of the right input " + describeKept(join.rightInterval().rows(), "left"));
    }
    ClockStep window = join.window();
    if (window != null && Math.max(join.leftKept(), join.rightKept()) >= window.longest() - 1) {
      Duration length = Duration.ofMillis(window.longest());
      String name = window.isCalendar() ? window.unit().name().toLowerCase(Locale.ROOT) : "window of " + length;
      return new StateBound(Size.WINDOW, length, "a row is kept until the bound of the other input passes the " + name + " of its ROWTIME");
    }
    Duration left = Duration.ofMillis(join.leftKept());
    Duration right = Duration.ofMillis(join.rightKept());
    Duration longest = left.compareTo(right) > 0 ? left : right;
    return new StateBound(Size.WINDOW, longest, "a row of the left input is kept until the bound of the right one is "
        + past(left) + ", a row of the right input until the bound of the left one is " + past(right));
  }

  private static String describeKept(int rows, String other) {
    String passed = "until the bound of the " + other + " one is past it";
    return rows == 0 ? passed : "until " + (rows == 1 ? "another comes" : rows + " others come") + " and the bound of the " + other
        + " one is past the last of them";
  }

  private static String past(Duration kept) {
    return kept.isZero() ? "past it" : kept + " past it";
  }
}
