package io.rowtime.parse;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Intervals as PostgreSQL writes them: numbers and their units in one string, as in {@code '1 hour 30 minutes'}. */
final class IntervalText {
  private static final Pattern PART = Pattern.compile("\\s*([0-9]+(?:\\.[0-9]+)?)\\s*(YEAR|QUARTER|MONTH|WEEK|DAY|HOUR|MINUTE|SECOND)S?");
  private static final Pattern WHOLE = Pattern.compile("'(?:" + PART.pattern() + ")+\\s*'");

  private IntervalText() {}

  /** Returns whether a string, with its quotes and in upper case, is such an interval. */
  static boolean isOne(String image) {
    return WHOLE.matcher(image).matches();
  }

  /** Returns the same interval in standard SQL: {@code INTERVAL '1' HOUR + INTERVAL '30' MINUTE}. */
  static String standard(String image) {
    List<String> parts = new ArrayList<>();
    Matcher part = PART.matcher(image.toUpperCase(Locale.ROOT));
    for (int from = 1; part.find(from); from = part.end()) {
      parts.add("INTERVAL '" + part.group(1) + "' " + part.group(2));
    }
    return String.join(" + ", parts);
  }
}
