package io.rowtime.jdbc;

import java.util.List;
import java.util.stream.Collectors;
import org.apache.spark.sql.jdbc.JdbcDialect;

/**
 * A table that rows are written to: each row has a value for each of {@code columns}; if there is a {@code key}, it has one
 * more column, {@link #DELETED} in a row whose key is deleted.
 *
 * @param name the table, as SQL
 * @param columns the names of the columns that are filled
 * @param types the SQL types of the values, without their precision
 * @param asText whether dates and times are stored as text, as in SQLite, which has no types for them
 * @param key those of {@code columns} by which a row replaces another one; empty if rows are appended
 */
public record TargetTable(String name, List<String> columns, List<String> types, boolean asText, List<String> key) {
  /** What the last column of a row is if the row with its key is deleted, as TO_CHANGELOG numbers the changes. */
  static final int DELETED = 3;

  boolean replaces() {
    return !key.isEmpty();
  }

  /** Returns the statement that adds a row, with a parameter for each column. */
  String insert(JdbcDialect dialect) {
    String marks = columns.stream().map(column -> "?").collect(Collectors.joining(", "));
    return "INSERT INTO " + name + " (" + list(columns, dialect) + ") VALUES (" + marks + ")";
  }

  /** Returns the statement that adds a row in place of the one with its key, with a parameter for each column. */
  String upsert(JdbcDialect dialect) {
    String others = columns.stream().filter(column -> !key.contains(column)).map(dialect::quoteIdentifier)
        .map(column -> column + " = excluded." + column).collect(Collectors.joining(", "));
    return insert(dialect) + " ON CONFLICT (" + list(key, dialect) + ") DO " + (others.isEmpty() ? "NOTHING" : "UPDATE SET " + others);
  }

  /** Returns the statement that deletes a row, with a parameter for each column of the key. */
  String delete(JdbcDialect dialect) {
    return "DELETE FROM " + name + " WHERE "
        + key.stream().map(column -> dialect.quoteIdentifier(column) + " = ?").collect(Collectors.joining(" AND "));
  }

  private static String list(List<String> names, JdbcDialect dialect) {
    return names.stream().map(dialect::quoteIdentifier).collect(Collectors.joining(", "));
  }
}
