package io.rowtime.plan.monotone;

import java.util.List;
import java.util.stream.Stream;
import org.apache.calcite.avatica.util.TimeUnit;

/**
 * One step of a function from the bound of a source to the bound of a derived time.
 *
 * @param function SHIFT, FLOOR or CEIL
 * @param millis length of the shift, or of the window of FLOOR and CEIL; 0 for windows of a calendar unit
 * @param offset where a window begins: milliseconds since the epoch, modulo {@code millis}
 * @param unit MONTH, QUARTER or YEAR … for calendar windows, else null
 */
public record ClockStep(Function function, long millis, long offset, TimeUnit unit) {

  /** What a step does to a time. */
  public enum Function { SHIFT, FLOOR, CEIL }

  private static final long DAY = TimeUnit.DAY.multiplier.longValue();
  /** 1970-01-04, a Sunday: Calcite's weeks begin on Sundays. */
  private static final long SUNDAY = 3 * DAY;

  public static ClockStep shift(long millis) {
    return new ClockStep(Function.SHIFT, millis, 0, null);
  }

  /** FLOOR or CEIL to windows of a fixed length. */
  public static ClockStep window(Function function, long millis, long offset) {
    return new ClockStep(function, millis, Math.floorMod(offset, millis), null);
  }

  /** FLOOR or CEIL to a unit; null where the unit has none (MICROSECOND and finer). */
  public static ClockStep unit(Function function, TimeUnit unit) {
    return switch (unit) {
      case MILLISECOND -> window(function, 1, 0);
      case SECOND, MINUTE, HOUR, DAY -> window(function, unit.multiplier.longValue(), 0);
      case WEEK -> window(function, 7 * DAY, SUNDAY);
      case MONTH, QUARTER, YEAR, DECADE, CENTURY, MILLENNIUM -> new ClockStep(function, 0, 0, unit);
      default -> null;
    };
  }

  /** Whether this step after {@code finer} is the same as this step alone: FLOOR to hours after FLOOR to minutes. */
  boolean coarsens(ClockStep finer) {
    if (function == Function.SHIFT || function != finer.function || finer.isCalendar()) {
      return function != Function.SHIFT && equals(finer);
    }
    boolean days = isCalendar() && DAY % finer.millis == 0 && finer.offset == 0;
    return days || !isCalendar() && millis % finer.millis == 0 && Math.floorMod(offset - finer.offset, finer.millis) == 0;
  }

  /**
   * How a time follows from ROWTIME, when it follows from the sources by {@code steps} and ROWTIME does by {@code clock};
   * null where it does not.
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

  /** A clock that is never ahead of either of two; null where the steps do not tell which one that is. */
  static List<ClockStep> least(List<ClockStep> a, List<ClockStep> b) {
    if (a == null || b == null) {
      return null;
    }
    if (a.equals(b) || floors(a, b)) {
      return a;
    }
    if (floors(b, a)) {
      return b;
    }
    boolean shifts = Stream.concat(a.stream(), b.stream()).allMatch(s -> s.function() == Function.SHIFT);
    return !shifts ? null : millis(a) <= millis(b) ? a : b;
  }

  private static long millis(List<ClockStep> shifts) {
    return shifts.stream().mapToLong(ClockStep::millis).sum();
  }

  /** Whether {@code a} is {@code b} and then rounded down, which can only make it earlier. */
  private static boolean floors(List<ClockStep> a, List<ClockStep> b) {
    return a.size() > b.size() && a.subList(0, b.size()).equals(b)
        && a.subList(b.size(), a.size()).stream().allMatch(s -> s.function() == Function.FLOOR);
  }

  /** Length of the longest window of some steps, in milliseconds; a calendar's is longer than any other. */
  public static long length(List<ClockStep> steps) {
    return steps.stream().mapToLong(s -> s.function() == Function.SHIFT ? 0
        : s.isCalendar() ? Long.MAX_VALUE / 16 : s.millis()).max().orElse(0);
  }

  public boolean isCalendar() {
    return unit != null;
  }
}
