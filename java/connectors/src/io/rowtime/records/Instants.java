package io.rowtime.records;

import java.time.LocalDate;

/** Parses timestamps: ISO with a blank or a T, optional seconds and fraction, and an optional Z or offset. */
final class Instants {
  private Instants() {}

  private static final long DAY = 86_400_000_000L;

  /**
   * Returns microseconds since 1970-01-01 UTC. Nine or more digits without separators are milliseconds since then.
   *
   * @throws IllegalArgumentException (or a DateTimeException) if the text is not a timestamp
   */
  static long micros(String text) {
    int end = text.length();
    if (end >= 9 && isNumber(text)) {
      return Math.multiplyExact(Long.parseLong(text), 1000L);
    }
    if (end < 10 || text.charAt(4) != '-' || text.charAt(7) != '-') {
      throw new IllegalArgumentException();
    }
    long days = LocalDate.of(digits(text, 0, 4), digits(text, 5, 7), digits(text, 8, 10)).toEpochDay();
    if (end == 10) {
      return days * DAY;
    }
    char separator = text.charAt(10);
    if (separator != ' ' && separator != 'T' && separator != 't' || end < 16 || text.charAt(13) != ':') {
      throw new IllegalArgumentException();
    }
    long seconds = checkRange(digits(text, 11, 13), 23) * 3600L + checkRange(digits(text, 14, 16), 59) * 60L;
    int at = 16;
    long fraction = 0;
    if (at < end && text.charAt(at) == ':') {
      seconds += checkRange(digits(text, 17, 19), 59);
      at = 19;
      if (at < end && text.charAt(at) == '.') {
        int first = ++at;
        while (at < end && text.charAt(at) >= '0' && text.charAt(at) <= '9') {
          if (at - first < 6) {
            fraction = fraction * 10 + text.charAt(at) - '0';
          }
          at++;
        }
        if (at == first) {
          throw new IllegalArgumentException();
        }
        for (int i = at - first; i < 6; i++) {
          fraction *= 10;
        }
      }
    }
    return days * DAY + (seconds - offset(text, at)) * 1_000_000 + fraction;
  }

  /** Returns seconds east of Greenwich. */
  private static long offset(String text, int at) {
    while (at < text.length() && text.charAt(at) == ' ') {
      at++;
    }
    int rest = text.length() - at;
    if (rest == 0 || rest == 1 && Character.toUpperCase(text.charAt(at)) == 'Z') {
      return 0;
    }
    char sign = text.charAt(at);
    boolean colon = rest == 6 && text.charAt(at + 3) == ':';
    if (sign != '+' && sign != '-' || !(colon || rest == 5)) {
      throw new IllegalArgumentException();
    }
    int minutes = at + (colon ? 4 : 3);
    long seconds =
        checkRange(digits(text, at + 1, at + 3), 18) * 3600L + checkRange(digits(text, minutes, minutes + 2), 59) * 60L;
    return sign == '-' ? -seconds : seconds;
  }

  private static boolean isNumber(String text) {
    for (int i = text.charAt(0) == '-' ? 1 : 0; i < text.length(); i++) {
      if (text.charAt(i) < '0' || text.charAt(i) > '9') {
        return false;
      }
    }
    return true;
  }

  private static int checkRange(int number, int greatest) {
    if (number > greatest) {
      throw new IllegalArgumentException();
    }
    return number;
  }

  private static int digits(String text, int from, int to) {
    int number = 0;
    for (int i = from; i < to; i++) {
      if (i >= text.length() || text.charAt(i) < '0' || text.charAt(i) > '9') {
        throw new IllegalArgumentException();
      }
      number = number * 10 + text.charAt(i) - '0';
    }
    return number;
  }
}
