package io.rowtime.time;

import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Parses durations in options: {@code 24 HOURS}. It accepts the same texts as parse_duration
 * (python/rowtime/types/times.py).
 */
public final class Durations {
  /** A case-insensitive regular expression: a number and a unit. */
  public static final String FORM = "(\\d{1,10})\\s*(millisecond|second|minute|hour|day|week)s?";
  private static final Pattern PATTERN = Pattern.compile("(?i)" + FORM);
  private static final Map<String, Long> UNITS = Map.of("millisecond", 1L, "second", 1000L, "minute", 60_000L,
      "hour", 3_600_000L, "day", 86_400_000L, "week", 604_800_000L);

  private static final Pattern SHORT = Pattern.compile("(\\d{1,9})\\s*([a-z]+)");
  private static final Map<String, Long> SHORT_UNITS = shortUnits();

  private Durations() {}

  private static Map<String, Long> shortUnits() {
    Map<String, Long> units = new HashMap<>();
    List.of("ms", "millisecond", "milliseconds").forEach(name -> units.put(name, 1L));
    List.of("s", "sec", "second", "seconds").forEach(name -> units.put(name, 1000L));
    List.of("m", "min", "minute", "minutes").forEach(name -> units.put(name, 60_000L));
    List.of("h", "hour", "hours").forEach(name -> units.put(name, 3_600_000L));
    List.of("d", "day", "days").forEach(name -> units.put(name, 86_400_000L));
    return units;
  }

  /**
   * Returns a duration above 0 in milliseconds whose unit may be short, as in Flink: {@code 10s}, {@code 1d}, {@code 30 min}; null if the
   * text is not one.
   *
   * @param also further names of units, with their milliseconds
   */
  public static Long shortMillis(String text, Map<String, Long> also) {
    Matcher length = SHORT.matcher(text.toLowerCase(Locale.ROOT));
    if (!length.matches()) {
      return null;
    }
    Long unit = SHORT_UNITS.getOrDefault(length.group(2), also.get(length.group(2)));
    long number = Long.parseLong(length.group(1));
    return unit == null || number == 0 ? null : Long.valueOf(number * unit);
  }

  /** Returns a duration in milliseconds; null if the text is not one, Long.MAX_VALUE if it is too long. */
  public static Long millis(String text) {
    Matcher length = PATTERN.matcher(text.trim());
    if (!length.matches()) {
      return null;
    }
    long number = Long.parseLong(length.group(1));
    long unit = UNITS.get(length.group(2).toLowerCase(Locale.ROOT));
    return number > Long.MAX_VALUE / unit ? Long.MAX_VALUE : number * unit;
  }
}
