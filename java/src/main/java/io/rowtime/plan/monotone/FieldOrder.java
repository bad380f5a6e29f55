package io.rowtime.plan.monotone;

import io.rowtime.plan.clock.ClockStep;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * What is known of the order of a column or expression.
 *
 * @param disorder how far back a value may fall ({@code LATENESS}, clocks that are set back), in milliseconds, of a number
 *     in whole numbers; 0 when never
 * @param steps how the value follows from the bound of the query's sources, or null if it does not
 */
public record FieldOrder(Monotonicity monotonicity, long disorder, List<ClockStep> steps) {
  public static final FieldOrder NONE = new FieldOrder(Monotonicity.NOT_MONOTONIC, 0, null);
  public static final FieldOrder CONSTANT = new FieldOrder(Monotonicity.CONSTANT, 0, null);

  /** The ROWTIME of a source: its clock itself. */
  public static FieldOrder rowtime(long disorder) {
    return new FieldOrder(Monotonicity.INCREASING, disorder, List.of());
  }

  /** An order that is not tied to the clock of the sources. */
  public static FieldOrder of(Monotonicity monotonicity, long disorder) {
    return new FieldOrder(monotonicity, disorder, null);
  }

  /** The disorder that a LATENESS of so many milliseconds, or of such a number, allows. */
  static long disorder(BigDecimal lateness) {
    return lateness.setScale(0, RoundingMode.CEILING).longValue();
  }

  /** Whether it follows from the clock by what clocks of a time zone show. */
  public boolean goesByLocalTime() {
    return steps != null && ClockStep.anyLocal(steps);
  }

  public boolean derivesFromRowtime() {
    return steps != null;
  }

  /** After a function that keeps the order: {@code step} says what it does to the clock, null for something else. */
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

  /** What clocks of a zone show then: each time that they are set back they show some times again. */
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
