package io.rowtime.plan.clock;

import io.rowtime.time.LocalClock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.avatica.util.TimeUnit;

/**
 * One step of the function that maps the bound of a source to the bound of a derived time.
 *
 * @param function SHIFT, FLOOR, CEIL or LOCAL
 * @param millis the length of the shift, or of the window of FLOOR and CEIL; 0 for windows of a calendar unit
 * @param offset the start of a window: milliseconds since the epoch, modulo {@code millis}
 * @param unit MONTH, QUARTER, YEAR … for calendar windows, else null
 * @param zone for LOCAL, the time zone whose local time the step gives; else null
 */
public record ClockStep(Function function, long millis, long offset, TimeUnit unit, String zone) {

  /** The effect of a step on a time. */
  public enum Function { SHIFT, FLOOR, CEIL, LOCAL }

  private static final long DAY = TimeUnit.DAY.multiplier.longValue();
  /** 1970-01-04, a Sunday: Calcite's weeks begin on Sundays. */
  private static final long SUNDAY = 3 * DAY;

  private static final long FURTHEST_ZONE = 14 * TimeUnit.HOUR.multiplier.longValue();

  public static ClockStep shift(long millis) {
    return new ClockStep(Function.SHIFT, millis, 0, null, null);
  }

  /** Returns the steps, followed by a shift by {@code millis}. */
  public static List<ClockStep> withShift(List<ClockStep> steps, long millis) {
    if (millis == 0) {
      return steps;
    }
    int last = steps.size() - 1;
    if (last >= 0 && steps.get(last).function == Function.SHIFT) {
      return withShift(steps.subList(0, last), steps.get(last).millis + millis);
    }
    List<ClockStep> all = new ArrayList<>(steps);
    all.add(shift(millis));
    return all;
  }

  /** Returns how far, at most, the steps move a time forward, in milliseconds. */
  public static long furthest(List<ClockStep> steps) {
    return steps.stream().mapToLong(step -> switch (step.function) {
      case SHIFT -> step.millis;
      case FLOOR -> 0;
      case CEIL -> step.longest() - 1;
      case LOCAL -> FURTHEST_ZONE;
    }).sum();
  }

  /** Returns how far, at least, the steps move a time forward, in milliseconds. */
  private static long nearest(List<ClockStep> steps) {
    return steps.stream().mapToLong(step -> switch (step.function) {
      case SHIFT -> step.millis;
      case FLOOR -> -step.longest();
      case CEIL -> 0;
      case LOCAL -> -FURTHEST_ZONE;
    }).sum();
  }

  /**
   * Returns the step from UTC to the local time of a zone. Local clocks are sometimes set back, so the bound is the
   * least local time that can still occur.
   */
  public static ClockStep local(String zone) {
    return new ClockStep(Function.LOCAL, 0, 0, null, zone);
  }

  /** Returns FLOOR or CEIL to windows of a fixed length. */
  public static ClockStep window(Function function, long millis, long offset) {
    return new ClockStep(function, millis, Math.floorMod(offset, millis), null, null);
  }

  /** Returns FLOOR or CEIL to a unit; null if the unit has no such step (MICROSECOND and finer). */
  public static ClockStep unit(Function function, TimeUnit unit) {
    return switch (unit) {
      case MILLISECOND -> window(function, 1, 0);
      case SECOND, MINUTE, HOUR, DAY -> window(function, unit.multiplier.longValue(), 0);
      case WEEK -> window(function, 7 * DAY, SUNDAY);
      case MONTH, QUARTER, YEAR, DECADE, CENTURY, MILLENNIUM -> new ClockStep(function, 0, 0, unit, null);
      default -> null;
    };
  }

  /**
   * Returns whether applying this step after {@code finer} is the same as applying this step alone, for example FLOOR
   * to hours after FLOOR to minutes.
   */
  public boolean coarsens(ClockStep finer) {
    if (!isWindow() || function != finer.function || finer.isCalendar()) {
      return isWindow() && equals(finer);
    }
    boolean days = isCalendar() && DAY % finer.millis == 0 && finer.offset == 0;
    return days || !isCalendar() && millis % finer.millis == 0 && Math.floorMod(offset - finer.offset, finer.millis) == 0;
  }

  /**
   * Returns the steps from ROWTIME to a time, given the steps from the sources to both; null if the time does not
   * follow from ROWTIME.
   *
   * @param steps the steps from the sources to the time
   * @param clock the steps from the sources to ROWTIME
   */
  public static List<ClockStep> relative(List<ClockStep> steps, List<ClockStep> clock) {
    int last = clock.size() - 1;
    if (steps.size() > last && steps.subList(0, last + 1).equals(clock)) {
      return steps.subList(last + 1, steps.size());
    }
    boolean coarser = last >= 0 && steps.size() > last && steps.subList(0, last).equals(clock.subList(0, last))
        && steps.get(last).coarsens(clock.get(last));
    return coarser ? steps.subList(last, steps.size()) : null;
  }

  /** Returns a clock that is never ahead of either argument; null if the steps do not tell which one is behind. */
  public static List<ClockStep> least(List<ClockStep> a, List<ClockStep> b) {
    if (a == null || b == null) {
      return null;
    }
    if (a.equals(b) || floors(a, b)) {
      return a;
    }
    if (floors(b, a)) {
      return b;
    }
    int common = 0;
    while (common < Math.min(a.size(), b.size()) && a.get(common).equals(b.get(common))) {
      common++;
    }
    List<ClockStep> restOfA = a.subList(common, a.size());
    List<ClockStep> restOfB = b.subList(common, b.size());
    return furthest(restOfA) <= nearest(restOfB) ? a : furthest(restOfB) <= nearest(restOfA) ? b : null;
  }

  /** Returns whether {@code a} is {@code b} followed by rounding down, which can only make a time earlier. */
  private static boolean floors(List<ClockStep> a, List<ClockStep> b) {
    List<ClockStep> rounded = relative(a, b);
    return rounded != null && rounded.stream().allMatch(s -> s.function() == Function.FLOOR);
  }

  /**
   * Returns the length of the longest window among the steps, in milliseconds. Calendar windows count as longer than
   * all others.
   */
  public static long length(List<ClockStep> steps) {
    return steps.stream().mapToLong(s -> !s.isWindow() ? 0
        : s.isCalendar() ? Long.MAX_VALUE / 16 : s.millis()).max().orElse(0);
  }

  /**
   * Returns the steps from a bound to a time such that no earlier time has the same value, where {@code steps} map
   * times to values.
   */
  public static List<ClockStep> earliest(List<ClockStep> steps) {
    int last = steps.size() - 1;
    while (last >= 0 && !steps.get(last).isWindow()) {
      last--;
    }
    if (last < 0) {
      return List.of();
    }
    List<ClockStep> back = new ArrayList<>(steps);
    if (steps.get(last).function == Function.CEIL) {
      back.set(last, steps.get(last).floor());
      back.add(last, shift(-1));
    }
    // The value is that of the bound; what is undone now is how far below it the steps began. FLOOR undoes itself.
    long undone = 0;
    for (ClockStep step : steps) {
      undone += step.function == Function.SHIFT ? step.millis : 0;
    }
    for (ClockStep step : steps.subList(0, last)) {
      undone += step.function == Function.CEIL ? step.longest() - 1 : 0;
    }
    return withShift(back, -undone);
  }

  /**
   * Returns the steps from a bound to the earliest time of rows that wait for it: of a row whose value is not before that of the
   * bound. Null if no time is the earliest, or if the steps depend on the local time of a zone: it says nothing of a time in UTC.
   *
   * @param steps map times to values
   * @param spread how far, at most, a value is past the one that the steps give, in milliseconds: a row is in several windows
   */
  public static List<ClockStep> waiting(List<ClockStep> steps, long spread) {
    if (spread == Modulus.UNLIMITED || anyLocal(steps)) {
      return null;
    }
    if (furthest(steps) <= -spread) {
      // No value is past its row, so the bound of the values is one of the rows.
      return steps;
    }
    long earlier = atLeastApart(steps, spread);
    List<ClockStep> back = earliest(steps);
    if (earlier == 0) {
      return back;
    }
    boolean shifts = !back.isEmpty() && back.get(0).function == Function.SHIFT;
    List<ClockStep> all = new ArrayList<>(withShift(List.of(), (shifts ? back.get(0).millis : 0) - earlier));
    all.addAll(shifts ? back.subList(1, back.size()) : back);
    return all;
  }

  /** Returns how far apart times can be whose values by the steps differ by at most {@code distance}. */
  public static long mostApart(List<ClockStep> steps, long distance) {
    long most = distance;
    for (int i = steps.size() - 1; i >= 0 && most != Modulus.UNLIMITED; i--) {
      ClockStep step = steps.get(i);
      most = switch (step.function) {
        case SHIFT -> most;
        case FLOOR, CEIL -> step.isCalendar() ? Modulus.plus(most, step.longest()) : (most / step.millis + 1) * step.millis - 1;
        case LOCAL -> Modulus.UNLIMITED;
      };
    }
    return most;
  }

  /** Returns how far apart times must be, so that the steps leave them at least {@code distance} apart. */
  public static long atLeastApart(List<ClockStep> steps, long distance) {
    long apart = distance;
    for (int i = steps.size() - 1; i >= 0; i--) {
      apart = steps.get(i).atLeastApart(apart);
    }
    return apart;
  }

  /** Returns how far apart times must be, so that the step leaves them at least {@code distance} apart. */
  private long atLeastApart(long distance) {
    if (!isWindow() || distance == 0) {
      return distance;
    }
    return isCalendar() ? distance + longest() : (distance + millis - 1) / millis * millis;
  }

  private ClockStep floor() {
    return new ClockStep(Function.FLOOR, millis, offset, unit, null);
  }

  /** Returns whether any step depends on the local time of a zone. */
  public static boolean anyLocal(List<ClockStep> steps) {
    return steps.stream().anyMatch(s -> s.function() == Function.LOCAL);
  }

  /** Returns whether the step rounds to windows. */
  public boolean isWindow() {
    return function == Function.FLOOR || function == Function.CEIL;
  }

  /** Returns whether the length of the step varies with the time. */
  public boolean varies() {
    return isCalendar() || function == Function.LOCAL;
  }

  public boolean isCalendar() {
    return unit != null;
  }

  /** Returns how far apart the step moves times that are some distance apart. */
  public Modulus modulus() {
    return switch (function) {
      case SHIFT -> Modulus.same();
      case FLOOR, CEIL -> isCalendar() ? Modulus.windows(shortest(), longest()) : Modulus.windows(millis);
      case LOCAL -> LocalClock.find(zone).<Modulus>map(clock -> distance -> Modulus.plus(distance, clock.setForward(Duration.ofMillis(distance)).toMillis()))
          .orElse(Modulus.unknown());
    };
  }

  /** Returns how far apart the steps, one after the other, move times that are {@code distance} apart. */
  public static long apart(List<ClockStep> steps, long distance) {
    long apart = distance;
    for (ClockStep step : steps) {
      apart = step.modulus().of(apart);
    }
    return apart;
  }

  /** Returns the length of the step's longest window, in milliseconds. */
  public long longest() {
    if (!isCalendar()) {
      return millis;
    }
    return DAY * switch (unit) {
      case MONTH -> 31;
      case QUARTER -> 92;
      case YEAR -> 366;
      default -> 366L * unit.multiplier.longValue() / 12;
    };
  }

  private long shortest() {
    return DAY * switch (unit) {
      case MONTH -> 28;
      case QUARTER -> 90;
      default -> 365L * unit.multiplier.longValue() / 12;
    };
  }
}
