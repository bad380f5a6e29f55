package io.rowtime.operator.spec;

import java.io.Serializable;
import java.util.List;

/**
 * The parameters of a search by key: each row is joined with the rows of a JDBC table that have its keys.
 *
 * @param keys the columns with the values to look up; a row with a NULL among them finds nothing
 * @param columns the columns of the result
 * @param owner a description of the table, for messages
 * @param table the table in the database's SQL
 * @param found the columns of the table in the result, including the keys
 * @param searched the database's columns for the keys, in the order of {@code keys}
 * @param condition a condition over {@code columns} and {@code found}, as Spark SQL; null if the keys are the whole
 *     condition
 * @param asText whether the database stores dates and times as text
 * @param capacity how many statements an executor sends at once
 * @param timeout how long a statement may take
 * @param batchSize how many keys a statement looks up at most
 * @param retries how often a key without a row is looked up again, each time after {@code delay}
 * @param cacheTtl how long an executor caches results; null to cache them only within a task
 * @param cacheRows how many rows it caches
 * @param cacheMisses whether it also caches that a key has no row
 */
public record SearchKeySpec(JoinType joinType, List<String> keys, List<String> columns, String owner, String table, List<Found> found,
    List<Key> searched, @Nullable String condition, boolean asText, int capacity, long timeout, int batchSize, int retries, long delay,
    @Nullable Long cacheTtl, int cacheRows, boolean cacheMisses) implements OperatorSpec {
  /** LEFT also returns rows that find nothing. */
  public enum JoinType { INNER, LEFT }

  /**
   * A column to find.
   *
   * @param name the name of the result column
   * @param source the column in the database's SQL
   * @param fetched the type in which the driver returns it, as Spark's DDL
   * @param value a Spark SQL expression for the result column, over the fetched columns under their names
   */
  public record Found(String name, String source, String fetched, String value) implements Serializable {}

  /**
   * A column of the key.
   *
   * @param field its name in the database's SQL
   * @param type its type in {@link java.sql.Types}; {@code typeName} is the database's name for it
   * @param sqlType the SQL type of its values, without precision
   * @param found the name of the result column
   */
  public record Key(String field, int type, String typeName, String sqlType, String found) implements Serializable {}

  public SearchKeySpec {
    if (keys.isEmpty() || keys.size() != searched.size()) {
      throw new IllegalArgumentException("keys and searched have different lengths");
    }
  }

  public boolean isOuter() {
    return joinType == JoinType.LEFT;
  }
}
