package io.rowtime.statement;

import io.rowtime.catalog.Connector;
import io.rowtime.catalog.OptionRule;
import io.rowtime.catalog.OptionType;
import io.rowtime.catalog.Spelling;
import io.rowtime.diagnostic.Diagnostic;
import io.rowtime.plan.constant.TimeRange;
import io.rowtime.sql.ObjectKind;
import io.rowtime.sql.SqlOption;
import io.rowtime.time.Durations;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;

/**
 * Checks the OPTIONS of CREATE STREAM, TABLE, PUMP and FUNCTION; {@link ForeignOptions} checks those of foreign
 * streams and tables.
 */
final class Options {
  private final List<Diagnostic> errors;

  Options(List<Diagnostic> errors) {
    this.errors = errors;
  }

  /** Returns the options, by name in lower case. */
  Map<String, String> of(ObjectKind kind, SqlNodeList given) {
    Map<String, String> options = new LinkedHashMap<>();
    SqlNode connector = connector(kind, given);
    if (connector != null) {
      // The other options are those of the connector.
      error("RT0310", connector, "A " + kind.text() + " has no option '" + Connector.OPTION + "'",
          "write CREATE FOREIGN " + kind.sql() + " for rows outside the warehouse");
      return options;
    }
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

  /** Returns the connector of a stream or table that is not foreign; null if it names none. */
  private static SqlNode connector(ObjectKind kind, SqlNodeList given) {
    return kind != ObjectKind.STREAM && kind != ObjectKind.TABLE ? null
        : given.stream().filter(node -> ((SqlOption) node).keyText().equalsIgnoreCase(Connector.OPTION)).findFirst().orElse(null);
  }

  private void check(ObjectKind kind, SqlOption option, String key) {
    List<OptionRule> rules = OptionRule.of(switch (kind) {
      case PUMP -> "PUMP";
      case FUNCTION -> "FUNCTION";
      case MATERIALIZED_VIEW -> "MATERIALIZED VIEW";
      default -> kind.isStream() ? "STREAM" : "TABLE";
    });
    OptionRule rule = OptionRule.named(rules, key).orElse(null);
    String value = option.valueText().trim();
    if (rule == null) {
      error("RT0310", option, "A " + kind.text() + " has no option '" + key + "'",
          hint(rules, key).orElseGet(() -> "its options are " + names(rules)));
    } else if (!rule.fits(value)) {
      error("RT0311", option, key + " is " + rule.what() + ", not '" + option.valueText() + "'", example(rule));
    } else if ((rule.type() == OptionType.DURATION || rule.type() == OptionType.HISTORY) && isTooLong(value)) {
      error("RT0311", option, key + " '" + option.valueText() + "' exceeds the 9,999 years of the range of times", example(rule));
    }
  }

  private static String example(OptionRule rule) {
    return "for example OPTIONS (" + rule.sample() + ")";
  }

  /** Returns a hint for an unknown option: the one that others call so, or the one whose name is nearest. */
  static Optional<String> hint(List<OptionRule> rules, String key) {
    return OptionRule.called(rules, key).map(rule -> "its name here is " + rule.name() + ", for example " + rule.sample())
        .or(() -> Spelling.nearest(key, rules.stream().map(OptionRule::name).toList()).map(name -> "did you mean '" + name + "'?"));
  }

  /** Returns a hint for what may be a setting of the client library of a connector. */
  static Optional<String> setting(Connector connector, String key) {
    if (connector.settings() == null) {
      return Optional.empty();
    }
    boolean isForeign = connector.foreignSettings() != null && key.startsWith(connector.foreignSettings());
    return isForeign || key.contains(".")
        ? Optional.of("settings of its client begin with " + connector.settings() + ": '" + connector.settings()
            + (isForeign ? key.substring(connector.foreignSettings().length()) : key) + "'")
        : Optional.empty();
  }

  static String names(List<OptionRule> rules) {
    return rules.stream().map(OptionRule::name).sorted().collect(Collectors.joining(", "));
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
