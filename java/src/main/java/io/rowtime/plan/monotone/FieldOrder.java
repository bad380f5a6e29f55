package io.rowtime.plan.monotone;

import io.rowtime.plan.clock.ClockStep;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * The known order of a column or expression.
 *
 * @param disorder how far a value may be behind an earlier one ({@code LATENESS}, clocks that are set back):
 *     milliseconds for a time, whole numbers for a number; 0 if never
 * @param steps the steps from the bound of the query's sources to the value, or null if it does not follow from the
 *     bound
 */
public record FieldOrder(Monotonicity monotonicity, long disorder, List<ClockStep> steps) {
  public static final FieldOrder NONE = new FieldOrder(Monotonicity.NOT_MONOTONIC, 0, null);
  public static final FieldOrder CONSTANT = new FieldOrder(Monotonicity.CONSTANT, 0, null);

  /** Returns the order of a source's ROWTIME, which is its clock. */
  public static FieldOrder rowtime(long disorder) {
    return new FieldOrder(Monotonicity.INCREASING, disorder, List.of());
  }

  /** Returns an order that is not tied to the clock of the sources. */
  public static FieldOrder of(Monotonicity monotonicity, long disorder) {
    return new FieldOrder(monotonicity, disorder, null);
  }

  /** Returns the disorder that LATENESS allows, in milliseconds or in units of a number. */
  static long disorder(BigDecimal lateness) {
    return lateness.setScale(0, RoundingMode.CEILING).longValue();
  }

  /** Returns whether the value follows from the clock through the local time of a zone. */
  public boolean goesByLocalTime() {
    return steps != null && ClockStep.anyLocal(steps);
  }

  public boolean derivesFromRowtime() {
    return steps != null;
  }

  /**
   * Returns the order after a function that preserves order: {@code step} is its effect on the clock, or null if it has
   * no clock step.
   */
  public FieldOrder then(ClockStep step, boolean strict) {
    List<ClockStep> next = null;
    if (steps != null && step != null) {
      next = new ArrayList<>(steps);
      if (!next.isEmpty() && step.coarsens(next.get(next.size() - 1))) {
        next.remove(next.size() - 1);
      }
      next.add(step);
    }
    return new FieldOrder(strict ? monotonicity : monotonicity.unstrict(), disorder, next);
  }

  /**
   * Returns the order of the local time of a zone, which repeats some times whenever the zone's clocks are set back.
   */
  FieldOrder local(String zone, Duration setBack) {
    if (!monotonicity.increasing()) {
      return monotonicity == Monotonicity.CONSTANT ? this : NONE;
    }
    FieldOrder shown = then(ClockStep.local(zone), false);
    return new FieldOrder(shown.monotonicity, shown.disorder + setBack.toMillis(), shown.steps);
  }

  public FieldOrder with(Monotonicity other) {
    return new FieldOrder(other, disorder, other.increasing() ? steps : null);
  }
}
