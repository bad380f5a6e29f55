package io.rowtime.time;

import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Parses durations in options: {@code 24 HOURS}. It accepts the same texts as parse_duration
 * (python/rowtime/streams/times.py).
 */
public final class Durations {
  /** A case-insensitive regular expression: a number and a unit. */
  public static final String FORM = "(\\d{1,10})\\s*(millisecond|second|minute|hour|day|week)s?";
  private static final Pattern PATTERN = Pattern.compile("(?i)" + FORM);
  private static final Map<String, Long> UNITS = Map.of("millisecond", 1L, "second", 1000L, "minute", 60_000L,
      "hour", 3_600_000L, "day", 86_400_000L, "week", 604_800_000L);

  private Durations() {}

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
