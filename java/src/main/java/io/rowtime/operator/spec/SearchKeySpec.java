package io.rowtime.operator.spec;

import java.io.Serializable;
import java.util.List;

/**
 * What a search by key is told: each row meets the rows of a table behind JDBC whose keys are those that it asks for.
 *
 * @param keys columns with the values that are looked up; a row in which one is NULL finds nothing
 * @param columns those of the result
 * @param owner the table in words, for messages
 * @param table as SQL of the database
 * @param found the columns of the table in the result, keys among them
 * @param searched how the keys go to the database, in the order of {@code keys}
 * @param condition over {@code columns} and {@code found}, as Spark SQL; null where the keys say all
 * @param asText whether the database keeps dates and times as text
 * @param capacity how many statements an executor sends at once
 * @param timeout how long a statement may take
 * @param batchSize how many keys it looks up at most
 * @param retries how often a key without a row is looked up again, {@code delay} later
 * @param cacheTtl how long an executor keeps what it has found; null: not beyond the task
 * @param cacheRows how many rows it keeps
 * @param cacheMisses whether it also keeps that a key has no row
 */
public record SearchKeySpec(JoinType joinType, List<String> keys, List<String> columns, String owner, String table, List<Found> found,
    List<Key> searched, @Nullable String condition, boolean asText, int capacity, long timeout, int batchSize, int retries, long delay,
    @Nullable Long cacheTtl, int cacheRows, boolean cacheMisses) implements OperatorSpec {
  /** LEFT: rows that find nothing come out as well. */
  public enum JoinType { INNER, LEFT }

  /**
   * A column that is found.
   *
   * @param name of the column of the result
   * @param source SQL of the database
   * @param fetched the type in which its driver gives it, as Spark's DDL
   * @param value Spark SQL that makes the column of it, over the fetched columns under their names
   */
  public record Found(String name, String source, String fetched, String value) implements Serializable {}

  /**
   * A column of the key.
   *
   * @param field its name as SQL of the database
   * @param type in {@link java.sql.Types}, and {@code typeName} in the database's own words
   * @param sqlType the SQL type of its values, without precision
   * @param found the name of the column that is found
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
