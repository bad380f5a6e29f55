package io.rowtime.statement;

import io.rowtime.bridge.Diagnostic;
import io.rowtime.catalog.Spelling;
import io.rowtime.sql.ObjectKind;
import io.rowtime.sql.SqlCreateRelation;
import io.rowtime.sql.SqlOption;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import org.apache.calcite.sql.SqlNode;

/** OPTIONS of CREATE STREAM and CREATE TABLE; those of foreign objects belong to their connector, which knows them. */
final class Options {
  // What parse_duration (python/rowtime/streams/times.py) reads.
  private static final String LENGTH = "\\d{1,10}\\s*(millisecond|second|minute|hour|day|week)s?";
  private static final Pattern HISTORY = Pattern.compile("(?i)all|" + LENGTH);
  private static final Pattern TIMEOUT = Pattern.compile("(?i)" + LENGTH);
  private static final Pattern NUMBER = Pattern.compile("[1-9]\\d{0,17}");
  private static final Pattern NAME = Pattern.compile(".+");

  /** What an option must look like, and how that is said. */
  private record Form(Pattern pattern, String what, String example) {}

  private static final Map<String, Form> STREAM = Map.of(
      "history", new Form(HISTORY, "'all' or a length of time", "24 HOURS"),
      "late_stream", new Form(NAME, "the name of a stream", "LATE_ORDERS"),
      "producer_timeout", new Form(TIMEOUT, "a length of time", "60 SECONDS"),
      "held_rows", new Form(NUMBER, "a positive number", "1000000"));
  private static final Map<String, Form> TABLE = Map.of(
      "late_stream", STREAM.get("late_stream"), "held_rows", STREAM.get("held_rows"));

  private final List<Diagnostic> errors;

  Options(List<Diagnostic> errors) {
    this.errors = errors;
  }

  /** The options by name in lower case. */
  Map<String, String> of(SqlCreateRelation create) {
    Map<String, String> options = new LinkedHashMap<>();
    for (SqlNode node : create.options) {
      SqlOption option = (SqlOption) node;
      String key = option.keyText().toLowerCase(Locale.ROOT);
      if (options.put(key, option.valueText()) != null) {
        error("RT0310", option, "Option '" + key + "' is given twice", null);
      } else if (!create.kind.isForeign()) {
        check(create.kind, option, key);
      }
    }
    if (create.kind.isForeign() && !options.containsKey("connector")) {
      error("RT0310", create.name, "A " + create.kind.text() + " needs to know where its rows are", "add OPTIONS (connector 'files', path '…', format 'json')");
    }
    return options;
  }

  private void check(ObjectKind kind, SqlOption option, String key) {
    Map<String, Form> known = kind.isStream() ? STREAM : TABLE;
    Form form = known.get(key);
    if (form == null) {
      error("RT0310", option, "A " + kind.text() + " has no option '" + key + "'",
          Spelling.nearest(key, known.keySet()).map(n -> "did you mean '" + n + "'?")
              .orElse("its options are " + String.join(", ", known.keySet().stream().sorted().toList())));
    } else if (!form.pattern.matcher(option.valueText().trim()).matches()) {
      error("RT0311", option, key + " is " + form.what + ", not '" + option.valueText() + "'",
          "for example OPTIONS (" + key + " '" + form.example + "')");
    }
  }

  private void error(String code, SqlNode place, String message, String hint) {
    errors.add(Diagnostic.error(code, place.getParserPosition(), message, hint));
  }
}
