package io.rowtime.plan.monotone;

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

  public boolean isCalendar() {
    return unit != null;
  }
}
