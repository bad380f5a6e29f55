package io.rowtime.statement;

import io.rowtime.catalog.CatalogObject;
import io.rowtime.catalog.Spelling;
import io.rowtime.diagnostic.Diagnostic;
import io.rowtime.plan.constant.TimeRange;
import io.rowtime.sql.ObjectKind;
import io.rowtime.sql.SqlOption;
import io.rowtime.time.Durations;
import io.rowtime.validate.ProcessFunction;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;

/**
 * Checks the OPTIONS of CREATE STREAM, TABLE, PUMP and FUNCTION; the options of foreign objects are checked by their
 * connector.
 */
final class Options {
  private static final Pattern HISTORY = Pattern.compile("(?i)all|" + Durations.FORM);
  private static final Pattern TIMEOUT = Pattern.compile("(?i)" + Durations.FORM);
  private static final Pattern NUMBER = Pattern.compile("[1-9]\\d{0,17}");
  private static final Pattern NAME = Pattern.compile(".+");

  /** The required format of an option's value, with its description. */
  private record Form(Predicate<String> fits, String what, String example) {
    Form(Pattern pattern, String what, String example) {
      this(text -> pattern.matcher(text).matches(), what, example);
    }
  }

  private static final Map<String, Form> STREAM = Map.of(
      "history", new Form(HISTORY, "'all' or a duration", "24 HOURS"),
      "late_stream", new Form(NAME, "the name of a stream", "LATE_ORDERS"),
      "producer_timeout", new Form(TIMEOUT, "a duration", "60 SECONDS"),
      "held_rows", new Form(NUMBER, "a positive number", "1000000"),
      CatalogObject.DELETE_COLUMN, new Form(NAME, "the name of a column", "DELETED"));
  private static final Map<String, Form> TABLE = Map.of(
      "history", STREAM.get("history"), "late_stream", STREAM.get("late_stream"), "held_rows", STREAM.get("held_rows"),
      CatalogObject.DELETE_COLUMN, STREAM.get(CatalogObject.DELETE_COLUMN));
  private static final Map<String, Form> PUMP = Map.of(
      "partitions", new Form(PartitionCount::isOne, PartitionCount.FORM, "4"));
  private static final Map<String, Form> FUNCTION = Map.of(
      ProcessFunction.STATE_TTL, new Form(TIMEOUT, "a duration", "24 HOURS"),
      ProcessFunction.DELAY, new Form(TIMEOUT, "a duration", "10 MINUTES"));

  private final List<Diagnostic> errors;

  Options(List<Diagnostic> errors) {
    this.errors = errors;
  }

  /** Returns the options, by name in lower case. */
  Map<String, String> of(ObjectKind kind, SqlNodeList given) {
    Map<String, String> options = new LinkedHashMap<>();
    for (SqlNode node : given) {
      SqlOption option = (SqlOption) node;
      String key = option.keyText().toLowerCase(Locale.ROOT);
      if (options.put(key, option.valueText()) != null) {
        error("RT0310", option, "Option '" + key + "' is given twice", null);
      } else if (!kind.isForeign()) {
        check(kind, option, key);
      }
    }
    return options;
  }

  private void check(ObjectKind kind, SqlOption option, String key) {
    Map<String, Form> known = switch (kind) {
      case PUMP -> PUMP;
      case FUNCTION -> FUNCTION;
      default -> kind.isStream() ? STREAM : TABLE;
    };
    Form form = known.get(key);
    if (form == null) {
      error("RT0310", option, "A " + kind.text() + " has no option '" + key + "'",
          Spelling.nearest(key, known.keySet()).map(n -> "did you mean '" + n + "'?")
              .orElse("its options are " + String.join(", ", known.keySet().stream().sorted().toList())));
    } else if (!form.fits.test(option.valueText().trim())) {
      error("RT0311", option, key + " is " + form.what + ", not '" + option.valueText() + "'",
          "for example OPTIONS (" + key + " '" + form.example + "')");
    } else if (isTooLong(option.valueText().trim())) {
      error("RT0311", option, key + " '" + option.valueText() + "' exceeds the 9,999 years of the range of times",
          "for example OPTIONS (" + key + " '" + form.example + "')");
    }
  }

  /** Returns a checked duration in milliseconds. */
  static long millis(String duration) {
    Long length = Durations.millis(duration);
    if (length == null) {
      throw new IllegalStateException("Not a duration: " + duration);
    }
    return length;
  }

  private static boolean isTooLong(String text) {
    Long length = Durations.millis(text);
    return length != null && length > TimeRange.MAX - TimeRange.MIN;
  }

  private void error(String code, SqlNode place, String message, String hint) {
    errors.add(Diagnostic.error(code, place.getParserPosition(), message, hint));
  }
}
