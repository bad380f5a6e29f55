package io.rowtime.catalog;

import io.rowtime.table.SharedTable;
import java.util.List;
import java.util.Optional;

/**
 * An option of streams, tables, pumps, functions or connectors, from {@code options.json} of the Python package, which Python
 * reads as well.
 *
 * @param of the kinds of objects (in upper case) and the connectors (in lower case) that have it
 * @param values those of a CHOICE; null for other types
 * @param least the least NUMBER; null for other types
 * @param greatest the greatest NUMBER; null if there is none
 * @param formats the formats of records with which it has a meaning; null for any
 * @param required whether a connector cannot do without it
 * @param identifies whether it says what is read: with another value, it is another source
 * @param shown whether its value is never secret
 * @param example a value, as messages give it
 * @param aliases what others call it, in lower case
 */
public record OptionRule(String name, List<String> of, OptionType type, List<String> values, Long least, Long greatest,
    List<String> formats, boolean required, boolean identifies, boolean shown, String example, List<String> aliases) {
  private static final List<OptionRule> TABLE = SharedTable.read(OptionRule.class, "options.json", OptionRule[].class);

  /** Returns the options of a connector, or of a kind of object in upper case. */
  public static List<OptionRule> of(String owner) {
    return TABLE.stream().filter(rule -> rule.of.contains(owner)).toList();
  }

  /** Returns the option of that name in lower case. */
  public static Optional<OptionRule> named(List<OptionRule> rules, String name) {
    return rules.stream().filter(rule -> rule.name.equals(name)).findFirst();
  }

  /** Returns the option that others call so, in lower case. */
  public static Optional<OptionRule> called(List<OptionRule> rules, String alias) {
    return rules.stream().filter(rule -> rule.aliases.contains(alias)).findFirst();
  }

  public boolean fits(String value) {
    return type.fits(value, this);
  }

  /** Returns what a value is, as a message says it after "is": {@code a duration}. */
  public String what() {
    return type.what(this);
  }

  /** Returns the option with a value: {@code servers 'broker:9092'}. */
  public String sample() {
    return name + " '" + example + "'";
  }
}
