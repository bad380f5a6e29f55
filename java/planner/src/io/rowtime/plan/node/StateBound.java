package io.rowtime.plan.node;

import java.time.Duration;
import java.util.Locale;

/**
 * How much state a node keeps.
 *
 * @param retention for how long; null if that follows from no length of time
 * @param why the reason, in words
 */
public record StateBound(Size size, Duration retention, String why) {
  /** How much: nothing, no more than a constant amount for each key, what a stretch of time contains, or ever more. */
  public enum Size {
    NONE, CONSTANT, WINDOW, UNBOUNDED;

    /** Returns the word for it in the plan. */
    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }
}
