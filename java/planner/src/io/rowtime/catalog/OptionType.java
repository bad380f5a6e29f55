package io.rowtime.catalog;

import io.rowtime.time.Durations;
import java.util.Locale;
import java.util.regex.Pattern;

/** What the value of an option is. Texts that Python reads again (foreign/options.py) are accepted as there. */
public enum OptionType {
  TEXT("a text that is not empty"),
  /** One of the values of its rule. */
  CHOICE(null),
  FLAG("true or false"),
  /** A whole number in the range of its rule. */
  NUMBER(null),
  DURATION("a duration"),
  HISTORY("'all' or a duration"),
  /** A time in UTC. */
  TIME("a time"),
  /** Where a topic is read from. */
  START("a start position"),
  /** One character, or {@code \t} for a tab. */
  CHARACTER("one character"),
  /** Names, separated by commas. */
  NAMES("a list of names"),
  /** The name of a stream. */
  STREAM("the name of a stream"),
  /** The name of a column; for a connector, one that is not a part of the record. */
  COLUMN("the name of a column"),
  /** The name of a column that only the connector fills. */
  READ_ONLY_COLUMN("the name of a column");

  private static final Pattern NUMERAL = Pattern.compile("\\d{1,18}");
  /** As _TIMESTAMP in python/rowtime/types/times.py. */
  private static final Pattern TIMESTAMP = Pattern.compile(
      "\\d{4}-\\d{1,2}-\\d{1,2}([T ]\\d{1,2}:\\d{2}(:\\d{2}(\\.\\d+)?)?\\s*(Z|[+-]\\d{2}:?\\d{2})?)?", Pattern.CASE_INSENSITIVE);
  /** As in python/rowtime/foreign/kafka_start.py. */
  private static final Pattern PLACES = Pattern.compile(
      "\\d{1,9}\\s*:\\s*\\d{1,18}(\\s*,\\s*\\d{1,9}\\s*:\\s*\\d{1,18})*");

  private final String what;

  OptionType(String what) {
    this.what = what;
  }

  boolean fits(String value, OptionRule rule) {
    String text = value.trim();
    return switch (this) {
      case TEXT, NAMES, STREAM, COLUMN, READ_ONLY_COLUMN -> !text.isEmpty();
      case CHOICE -> rule.values().contains(value.toLowerCase(Locale.ROOT));
      case FLAG -> value.equalsIgnoreCase("true") || value.equalsIgnoreCase("false");
      case NUMBER -> NUMERAL.matcher(text).matches() && isInRange(Long.parseLong(text), rule);
      case DURATION -> Durations.millis(text) != null;
      case HISTORY -> text.equalsIgnoreCase("all") || Durations.millis(text) != null;
      case TIME -> TIMESTAMP.matcher(text).matches();
      case START -> value.equalsIgnoreCase("earliest") || value.equalsIgnoreCase("latest") || PLACES.matcher(text).matches()
          || TIMESTAMP.matcher(text).matches();
      case CHARACTER -> one(value.replace("\\t", "\t"));
    };
  }

  /** Returns what a value is, as a message says it after "is". */
  String what(OptionRule rule) {
    return switch (this) {
      case CHOICE -> String.join(", ", rule.values().subList(0, rule.values().size() - 1)) + " or " + rule.values().get(rule.values().size() - 1);
      case NUMBER -> rule.greatest() != null ? "a number from " + rule.least() + " to " + rule.greatest()
          : rule.least() == 0 ? "a number" : "a positive number";
      default -> what;
    };
  }

  private static boolean isInRange(long number, OptionRule rule) {
    return number >= rule.least() && (rule.greatest() == null || number <= rule.greatest());
  }

  private static boolean one(String text) {
    return text.codePointCount(0, text.length()) == 1;
  }
}
