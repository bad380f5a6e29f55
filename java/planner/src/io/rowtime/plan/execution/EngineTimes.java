package io.rowtime.plan.execution;

import io.rowtime.operator.spec.Arrivals;
import io.rowtime.operator.spec.BoundClock;
import io.rowtime.plan.clock.ClockStep;
import io.rowtime.plan.node.Arrival;
import java.util.List;

/** Times and distances as operators have them: in microseconds, from Spark's watermark. */
final class EngineTimes {
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
    return new BoundClock(steps.stream().map(EngineTimes::step).toList()).fromWatermark().steps();
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
