package io.rowtime.plan.execution;

import io.rowtime.operator.spec.Arrivals;
import io.rowtime.operator.spec.BoundClock;
import io.rowtime.plan.clock.ClockStep;
import io.rowtime.plan.node.Arrival;
import java.util.ArrayList;
import java.util.List;

/** Times and distances as operators have them: in microseconds, from Spark's watermark. */
final class EngineTimes {
  /** Milliseconds by which Spark's watermark is ahead of rowtime: Spark's begins at 0, rowtime with the year 1. */
  private static final long ORIGIN = 62_135_596_800_000L;
  private static final long MICROS = 1000;

  private EngineTimes() {}

  static long micros(long millis) {
    return Math.multiplyExact(millis, MICROS);
  }

  /** Returns null for null. */
  static Long micros(Long millis) {
    return millis == null ? null : (Long) micros((long) millis);
  }

  /** Returns the steps from Spark's watermark, given those from the bound of the sources. */
  static List<BoundClock.ClockStep> clock(List<ClockStep> steps) {
    List<BoundClock.ClockStep> clock = new ArrayList<>();
    clock.add(step(ClockStep.shift(-ORIGIN)));
    steps.forEach(step -> clock.add(step(step)));
    return clock;
  }

  private static BoundClock.ClockStep step(ClockStep step) {
    int months = step.isCalendar() ? step.unit().multiplier.intValue() : 0;
    return new BoundClock.ClockStep(BoundClock.Function.valueOf(step.function().name()), micros(step.millis()), micros(step.offset()), months, step.zone());
  }

  static Arrivals arrivals(Arrival.Cases cases) {
    return new Arrivals(arrival(cases.ordered()), arrival(cases.unordered()));
  }

  private static Arrivals.Arrival arrival(Arrival arrival) {
    return new Arrivals.Arrival(arrival.disordered(), micros(arrival.maxDisorder()), arrival.early());
  }
}
