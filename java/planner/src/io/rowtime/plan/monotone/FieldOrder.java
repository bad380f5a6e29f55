package io.rowtime.plan.monotone;

import io.rowtime.plan.clock.ClockStep;
import io.rowtime.plan.clock.Modulus;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * The known order of a column or expression, from one micro-batch to the next.
 *
 * <p>A function can only be applied together with its effect on the disorder: either as a clock step, which has one, or
 * with its modulus of continuity.
 */
public final class FieldOrder {
  public static final FieldOrder NONE = new FieldOrder(Monotonicity.NOT_MONOTONIC, 0, 0, null);
  public static final FieldOrder CONSTANT = new FieldOrder(Monotonicity.CONSTANT, 0, 0, null);

  private final Monotonicity monotonicity;
  private final long disorder;
  private final long spread;
  private final List<ClockStep> steps;

  private FieldOrder(Monotonicity monotonicity, long disorder, long spread, List<ClockStep> steps) {
    this.monotonicity = monotonicity;
    this.disorder = disorder;
    this.spread = spread;
    this.steps = steps;
  }

  /** Returns the order of a source's ROWTIME, which is its clock. */
  public static FieldOrder rowtime(long disorder) {
    return byClock(List.of(), disorder, 0);
  }

  /**
   * Returns the order of an increasing time that follows from the clock.
   *
   * @param spread how far, at most, the time can be past the one that the steps give for the row's ROWTIME
   */
  static FieldOrder byClock(List<ClockStep> steps, long disorder, long spread) {
    return new FieldOrder(Monotonicity.INCREASING, disorder, spread, steps);
  }

  /** Returns an order that is not tied to the clock of the sources. */
  public static FieldOrder of(Monotonicity monotonicity, long disorder) {
    return monotonicity == Monotonicity.NOT_MONOTONIC ? NONE : new FieldOrder(monotonicity, disorder, disorder, null);
  }

  /** Returns the disorder that LATENESS allows, in milliseconds or in units of a number. */
  static long disorder(BigDecimal lateness) {
    return lateness.setScale(0, RoundingMode.CEILING).longValue();
  }

  public Monotonicity monotonicity() {
    return monotonicity;
  }

  /**
   * Returns how far a value may be behind one of an earlier micro-batch ({@code LATENESS}, clocks that are set back):
   * milliseconds for a time, whole numbers for a number, months for an interval of months; 0 if never, and {@link
   * Modulus#UNLIMITED} if there is no limit.
   */
  public long disorder() {
    return disorder;
  }

  /**
   * Returns how far a value may be past the one that {@link #steps} give for the row's ROWTIME; and therefore how far
   * it may be behind an earlier one if rows are in order of ROWTIME.
   */
  public long spread() {
    return spread;
  }

  /**
   * Returns the steps from the bound of the query's sources to the value, or null if it does not follow from the bound.
   */
  public List<ClockStep> steps() {
    return steps;
  }

  /** Returns whether the value follows from the clock through the local time of a zone. */
  public boolean goesByLocalTime() {
    return steps != null && ClockStep.anyLocal(steps);
  }

  public boolean derivesFromRowtime() {
    return steps != null;
  }

  /** Returns the order after a function that preserves order and is a step of the clock. */
  public FieldOrder then(ClockStep step, boolean strict) {
    List<ClockStep> next = null;
    if (steps != null) {
      next = new ArrayList<>(steps);
      if (!next.isEmpty() && step.coarsens(next.get(next.size() - 1))) {
        next.remove(next.size() - 1);
      }
      next.add(step);
    }
    Modulus modulus = step.modulus();
    return limited(strict ? monotonicity : monotonicity.unstrict(), modulus.of(disorder), modulus.of(spread), next);
  }

  /** Returns the order after a function that preserves order and is not a step of the clock. */
  public FieldOrder then(Modulus modulus, boolean strict) {
    return limited(strict ? monotonicity : monotonicity.unstrict(), modulus.of(disorder), modulus.of(spread), null);
  }

  /** Without a limit of its disorder, a time has no order; numbers keep theirs, which only says where they go. */
  private static FieldOrder limited(Monotonicity monotonicity, long disorder, long spread, List<ClockStep> steps) {
    return steps != null && disorder == Modulus.UNLIMITED ? NONE : new FieldOrder(monotonicity, disorder, spread, steps);
  }

  /** Returns the order after a function that preserves order, but may give values that go back by {@code further}. */
  FieldOrder disordered(long further) {
    return new FieldOrder(monotonicity, Modulus.plus(disorder, further), Modulus.plus(spread, further), steps);
  }

  /**
   * Returns the order of the local time of a zone, which repeats some times whenever the zone's clocks are set back.
   */
  FieldOrder local(String zone, Duration setBack) {
    if (!monotonicity.increasing()) {
      return monotonicity == Monotonicity.CONSTANT ? this : NONE;
    }
    return then(ClockStep.local(zone), false).disordered(setBack.toMillis());
  }

  /** Returns the order of the sum of two values that are not times. */
  FieldOrder plus(FieldOrder other) {
    return of(monotonicity.plus(other.monotonicity), Modulus.plus(disorder, other.disorder));
  }

  FieldOrder negated() {
    return of(monotonicity.reverse(), disorder);
  }

  /** Returns the order of a value that may repeat. */
  FieldOrder unstrict() {
    return new FieldOrder(monotonicity.unstrict(), disorder, spread, steps);
  }

  FieldOrder with(Monotonicity other) {
    return new FieldOrder(other, disorder, spread, other.increasing() ? steps : null);
  }

  /** Returns the order of the same values with another relation to the clock; null for none. */
  FieldOrder withSteps(List<ClockStep> others) {
    return new FieldOrder(monotonicity, disorder, spread, others);
  }

  /** Returns the order of values that are emitted in order of ROWTIME, but for this disorder. */
  FieldOrder settled(long rest) {
    return new FieldOrder(monotonicity, rest, rest, steps);
  }

  FieldOrder withDisorder(long other) {
    return new FieldOrder(monotonicity, other, spread, steps);
  }
}
