package io.rowtime.catalog;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import io.rowtime.table.SharedTable;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A connector of foreign streams and tables, from {@code connectors.json} of the Python package, which Python reads as well.
 *
 * @param writer the Python module that writes its rows; null if it cannot be written
 * @param streams whether SELECT STREAM reads rows as they arrive
 * @param tables whether SELECT reads the existing rows
 * @param localFolder whether it writes only to a local folder
 * @param repeatable whether rows can be read again
 * @param inOrder whether rows are late only if a LATENESS is declared
 * @param realTime whether rows can be read and written in real time, one by one
 * @param searchKey how SEARCH_KEY looks up rows; null if it does not
 * @param rawRecords whether it has the format 'raw', in which a record is the value of one column
 * @param upserts the formats in which rows are replaced and deleted by their PRIMARY KEY; empty if that takes no format, null if
 *     it cannot be
 * @param columns the only possible columns besides ROWTIME, with their types; null for any columns
 * @param settings how options begin that are passed to a client library; null if there are none
 * @param foreignSettings how they begin in other systems; null if that is not known
 * @param adapter whether it has options of its own besides those in the table
 * @param aliases what others call it, in lower case
 */
@JsonIgnoreProperties("reader")
public record Connector(String name, String writer, boolean streams, boolean tables, boolean localFolder, boolean repeatable,
    boolean inOrder, boolean realTime, SearchKey searchKey, boolean rawRecords, List<String> upserts, Map<String, String> columns, String settings,
    String foreignSettings, boolean adapter, List<String> aliases) {
  /** How rows are looked up: JDBC by database statements, DELTA by reading the files that may contain the keys. */
  public enum SearchKey { JDBC, DELTA }

  /** The option that names it. */
  public static final String OPTION = "connector";

  private static final Map<String, Connector> TABLE = SharedTable.read(Connector.class, "connectors.json", Connector[].class).stream()
      .collect(Collectors.toMap(Connector::name, Function.identity(), (one, other) -> one, LinkedHashMap::new));

  /** Returns the connector of that name in any case; if there is none, a connector that can do nothing. */
  public static Connector named(String name) {
    String lower = name.toLowerCase(Locale.ROOT);
    return TABLE.getOrDefault(lower,
        new Connector(lower, null, false, false, false, true, true, false, null, false, null, null, null, null, false, List.of()));
  }

  /** Returns the connector that others call so. */
  public static Optional<Connector> called(String alias) {
    return all().filter(connector -> connector.aliases.contains(alias)).findFirst();
  }

  /** Returns its options, without those that are passed to a client library, and those of an adapter's own. */
  public List<OptionRule> options() {
    return OptionRule.of(name);
  }

  /** Returns the options that name a column, which is then not a part of the record. */
  public List<String> roles() {
    return options().stream().filter(rule -> rule.type() == OptionType.COLUMN || rule.type() == OptionType.READ_ONLY_COLUMN)
        .map(OptionRule::name).toList();
  }

  /** Returns the roles whose columns an INSERT cannot fill, except ROWTIME. */
  public List<String> readOnly() {
    return options().stream().filter(rule -> rule.type() == OptionType.READ_ONLY_COLUMN).map(OptionRule::name).toList();
  }

  /** Returns whether that option says what is read. */
  public boolean reads(String option) {
    return declaresReads() && options().stream().anyMatch(rule -> rule.identifies() && rule.name().equalsIgnoreCase(option));
  }

  /** Returns whether it is known which options say what is read: any option of an adapter may. */
  public boolean declaresReads() {
    return !adapter;
  }

  /** Returns whether rows are replaced and deleted by their PRIMARY KEY, under these options. */
  public boolean replaces(Map<String, String> options) {
    return upserts != null && (upserts.isEmpty() || hasUpserts(options));
  }

  /** Returns whether what is read are upserts, under these options: a record replaces or deletes an earlier one. */
  public boolean hasUpserts(Map<String, String> options) {
    return upserts != null && upserts.contains(options.getOrDefault("format", "").toLowerCase(Locale.ROOT));
  }

  public boolean exists() {
    return TABLE.containsKey(name);
  }

  public boolean writes() {
    return writer != null;
  }

  /** Returns the names of all connectors. */
  public static Set<String> names() {
    return TABLE.keySet();
  }

  /** Returns all connectors, in the order of the table. */
  public static Stream<Connector> all() {
    return TABLE.values().stream();
  }
}
