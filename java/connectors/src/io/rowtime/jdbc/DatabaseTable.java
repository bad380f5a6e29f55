package io.rowtime.jdbc;

import java.io.Serializable;
import java.util.Map;

/**
 * A table of a database, as Python has found it.
 *
 * @param owner a description of the table, for messages
 * @param table the table in the database's SQL
 * @param asText whether the database stores dates and times as text
 * @param columns its columns by their names in rowtime
 */
public record DatabaseTable(Database database, String owner, String table, boolean asText, Map<String, Column> columns) implements Serializable {
  /**
   * A column.
   *
   * @param field its name in the database's SQL
   * @param source the SQL that reads it
   * @param fetched the type in which the driver returns that, as Spark's DDL
   * @param type its type in {@link java.sql.Types}; {@code typeName} is the database's name for it
   */
  public record Column(String field, String source, String fetched, int type, String typeName) implements Serializable {}
}
