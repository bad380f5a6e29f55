package io.rowtime.catalog;

import java.util.List;
import java.util.Map;

/**
 * An object of the catalog, as in a snapshot.
 *
 * @param kind {@code STREAM}, {@code FOREIGN STREAM}, {@code TABLE}, {@code FOREIGN TABLE}, {@code VIEW}, {@code MATERIALIZED VIEW},
 *     {@code PUMP}, {@code FUNCTION}
 * @param columns the columns; for a function, its parameters
 * @param query the SQL text of a view's query, a pump's INSERT, or the CREATE OR REPLACE of a materialized view; or null
 * @param uses the names of the objects that this one reads or writes
 * @param sql the canonical CREATE statement
 */
public record CatalogObject(
    String name, String kind, List<CatalogColumn> columns, List<String> primaryKey, Map<String, String> options,
    String query, boolean started, List<String> uses, String sql) {

  public static final String ROWTIME = "ROWTIME";
  public static final String VIEW = "VIEW";
  public static final String MATERIALIZED_VIEW = "MATERIALIZED VIEW";
  public static final String PUMP = "PUMP";
  public static final String FUNCTION = "FUNCTION";
  /** The option with the name of the stream to which rejected rows go. */
  public static final String LATE_STREAM = "late_stream";
  public static final String DELETE_COLUMN = "delete_column";

  public boolean isView() {
    return kind.equals(VIEW);
  }

  /** Returns whether it is a table and the pump that writes to it, under one name. */
  public boolean isMaterializedView() {
    return kind.equals(MATERIALIZED_VIEW);
  }

  /** Returns whether it has a query that runs: a pump, or a materialized view. */
  public boolean isPump() {
    return kind.equals(PUMP) || isMaterializedView();
  }

  /** Returns whether a query can name it in FROM. */
  public boolean hasRows() {
    return !isFunction() && !kind.equals(PUMP);
  }

  public boolean isFunction() {
    return kind.equals(FUNCTION);
  }

  /** Returns whether it is a stream, native or foreign. */
  public boolean isStream() {
    return kind.endsWith("STREAM");
  }

  /** Returns whether its rows are outside the warehouse. */
  public boolean isForeign() {
    return kind.startsWith("FOREIGN ");
  }

  /** Returns the connector of a foreign stream or table; if it does not exist, a connector that can do nothing. */
  public Connector connector() {
    return Connector.named(options.getOrDefault(Connector.OPTION, ""));
  }

  /** Returns whether it is a table, native or foreign, or a materialized view. */
  public boolean isTable() {
    return kind.endsWith("TABLE") || isMaterializedView();
  }

  /** Returns whether rowtime itself created it and writes to it, for example {@code SYS_BOOT.MGMT.ALL_TRACE}. */
  public boolean isSystem() {
    return options.containsKey("system");
  }

  /**
   * Returns the parts of its name: {@code SYS_BOOT}, {@code MGMT}, {@code ALL_TRACE}; a single part if it is in no
   * schema.
   */
  public List<String> path() {
    return isSystem() ? List.of(name.split("\\.")) : List.of(name);
  }

  /** Returns the name of the stream to which its rejected rows go; null if there is none. */
  public String lateStream() {
    return kind.equals("STREAM") || kind.equals("TABLE") ? options.get(LATE_STREAM) : null;
  }

  /** Returns the BOOLEAN column that is TRUE in versions that delete their key; null if there is none. */
  public String deleteColumn() {
    return options.get(DELETE_COLUMN);
  }

  /** Returns whether {@code SELECT STREAM} can read it: a stream, or a table with a column whose order is declared. */
  public boolean streamable() {
    return (isStream() || isTable() && columns.stream().anyMatch(CatalogColumn::isOrdered))
        && (!isForeign() || connector().streams() && (!connector().hasUpserts(options) || isChangelog()));
  }

  /**
   * Returns whether the changes of its rows can be read: it is a table of the warehouse, whose commits say which rows they add and
   * remove. Tables whose columns have an order are stored in logs.
   */
  public boolean hasChanges() {
    return isTable() && !isForeign() && !isSystem() && columns.stream().noneMatch(CatalogColumn::isOrdered);
  }

  /** Returns whether it is a stream of changes of rows, and not one of rows. */
  public boolean isChangelog() {
    return isStream() && primaryKey.isEmpty() && ChangelogShape.isOf(columns);
  }

  /** Returns whether {@code SELECT} can read it: a table, or a stream that keeps some history. */
  public boolean relational() {
    return (isTable() || isStream() && options.containsKey("history")) && (!isForeign() || connector().tables());
  }
}
