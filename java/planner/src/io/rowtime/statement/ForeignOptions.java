package io.rowtime.statement;

import io.rowtime.catalog.CatalogObject;
import io.rowtime.catalog.Connector;
import io.rowtime.catalog.OptionRule;
import io.rowtime.catalog.Spelling;
import io.rowtime.diagnostic.Diagnostic;
import io.rowtime.sql.SqlCreateRelation;
import io.rowtime.sql.SqlOption;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.apache.calcite.sql.SqlNode;

/**
 * Checks the options of a foreign stream or table against those of its connector. What an adapter or a client library has of
 * its own, and values that environment variables or files contain, are known only when they are read.
 */
final class ForeignOptions {
  private static final String IDLE_TIMEOUT = "idle_timeout";
  private static final List<String> POINTERS = List.of("_env", "_file");
  /** Options with such an ending whose value is the file itself, as in {@code secrets/given.py}. */
  private static final Set<String> FILES = Set.of("avro_schema_file", "jdbc.private_key_file");

  private final List<Diagnostic> errors;
  private final SqlCreateRelation create;
  private final String what;
  private final Connector connector;
  private final List<OptionRule> rules;

  ForeignOptions(List<Diagnostic> errors, SqlCreateRelation create, String what, Connector connector) {
    this.errors = errors;
    this.create = create;
    this.what = "The " + what;
    this.connector = connector;
    this.rules = connector.options().stream()
        .filter(rule -> create.kind.isStream() || !rule.name().equals(IDLE_TIMEOUT)).toList();
  }

  void check() {
    Map<String, SqlOption> given = new HashMap<>();
    boolean known = true;
    for (SqlNode node : create.options) {
      SqlOption option = (SqlOption) node;
      String key = option.keyText().toLowerCase(Locale.ROOT);
      String name = name(key);
      SqlOption other = given.put(name, option);
      boolean isAdapters = connector.adapter() && OptionRule.named(rules, name).isEmpty();
      if (other != null && !other.keyText().equalsIgnoreCase(key) && !isAdapters) {
        error("RT0522", option, "has both " + other.keyText() + " and " + option.keyText(), "give only one of them");
      }
      known &= check(option, key, name);
    }
    if (known) {
      checkFormat(given);
      // What is missing is likely to be there under a name that is not known.
      rules.stream().filter(rule -> rule.required() && !given.containsKey(rule.name()))
          .forEach(rule -> error("RT0521", given.get(Connector.OPTION), "needs the option " + rule.name(), "for example " + rule.sample()));
    }
  }

  /** Checks one option; returns false if there is no such option. */
  private boolean check(SqlOption option, String key, String name) {
    OptionRule rule = OptionRule.named(rules, name).orElse(null);
    if (rule != null) {
      if (key.equals(name) && !rule.fits(option.valueText())) {
        misfit(option, rule);
      }
      return true;
    }
    // Its own rule refuses it.
    boolean isFree = connector.adapter() || key.equals(CatalogObject.LATE_STREAM)
        || connector.settings() != null && key.startsWith(connector.settings()) && OptionRule.called(rules, name).isEmpty();
    if (!isFree) {
      error("RT0523", option, "has an unknown option " + option.keyText(), hint(name));
    }
    return isFree;
  }

  private String hint(String name) {
    if (OptionRule.named(connector.options(), name).isPresent()) {
      return "only a FOREIGN STREAM has it";
    }
    if (name.equals("history")) {
      return "to keep its rows, insert them with a pump into a stream with OPTIONS (history 'all')";
    }
    return Options.hint(rules, name).or(() -> Options.setting(connector, name)).orElseGet(() ->
        "the options of connector '" + connector.name() + "' are " + Options.names(rules)
            + (connector.settings() == null ? "" : ", and those of its client, " + connector.settings() + "…"));
  }

  private void misfit(SqlOption option, OptionRule rule) {
    String has = "has " + rule.name() + " '" + option.valueText() + "'";
    switch (rule.type()) {
      case CHOICE, FLAG -> {
        List<String> values = rule.values() == null ? List.of("true", "false") : rule.values();
        error("RT0522", option, has + "; known values are " + String.join(", ", values),
            Spelling.nearest(option.valueText(), values).map(value -> "did you mean '" + value + "'?").orElse(null));
      }
      default -> error("RT0522", option, has + ", which is not " + rule.what(), "for example " + rule.sample());
    }
  }

  private void checkFormat(Map<String, SqlOption> given) {
    SqlOption chosen = given.get("format");
    if (chosen != null && !chosen.keyText().equalsIgnoreCase("format")) {
      return;
    }
    String format = chosen == null ? "json" : chosen.valueText().toLowerCase(Locale.ROOT);
    for (OptionRule rule : rules) {
      SqlOption option = given.get(rule.name());
      if (option != null && rule.formats() != null && !rule.formats().contains(format)) {
        error("RT0523", option, "has the option " + rule.name() + ", but its format is '" + format + "'",
            "it belongs to format '" + String.join("' or '", rule.formats()) + "'");
      }
    }
  }

  /** Returns the option that a key is about: {@code password} for {@code password_file}. */
  private static String name(String key) {
    return FILES.contains(key) ? key : POINTERS.stream().filter(ending -> key.endsWith(ending) && key.length() > ending.length())
        .map(ending -> key.substring(0, key.length() - ending.length())).findFirst().orElse(key);
  }

  private void error(String code, SqlNode place, String said, String hint) {
    errors.add(Diagnostic.error(code, place.getParserPosition(), what + " " + said, hint));
  }
}
