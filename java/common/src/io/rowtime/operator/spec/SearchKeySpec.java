package io.rowtime.operator.spec;

import java.io.Serializable;
import java.util.List;

/**
 * The parameters of a search by key: each row is joined with the rows of a JDBC table that have its keys. The result has the columns of
 * the rows without the keys, then those that are found.
 *
 * @param keys the columns with the values to look up; a row with a NULL among them finds nothing
 * @param found the columns of the table in the result, including those of its keys
 * @param searched the names of the columns that the keys are compared with, in the same order
 * @param capacity how many statements an executor sends at once
 * @param timeout how long a statement may take
 * @param batchSize how many keys a statement looks up at most
 * @param retries how often a key without a row is looked up again, each time after {@code delay}
 * @param cacheTtl how long an executor caches results; null to cache them only within a task
 * @param cacheRows how many rows it caches
 * @param cacheMisses whether it also caches that a key has no row
 */
public record SearchKeySpec(JoinType joinType, List<String> keys, List<Found> found, List<String> searched, int capacity, long timeout, int batchSize,
    int retries, long delay, @Nullable Long cacheTtl, int cacheRows, boolean cacheMisses) implements OperatorSpec {
  /** LEFT also returns rows that find nothing. */
  public enum JoinType { INNER, LEFT }

  /**
   * A column to find.
   *
   * @param name the name of the result column
   * @param column the name of the table's column in SQL
   * @param sqlType its SQL type, without precision
   * @param sparkType its type, as Spark's DDL
   */
  public record Found(String name, String column, String sqlType, String sparkType) implements Serializable {}

  public SearchKeySpec {
    if (keys.isEmpty() || keys.size() != searched.size()) {
      throw new IllegalArgumentException("keys and searched have different lengths");
    }
  }

  /** Returns the column that a key is compared with. */
  public Found searched(int key) {
    return found.stream().filter(each -> each.name().equals(searched.get(key))).findAny().orElseThrow();
  }

  public boolean isOuter() {
    return joinType == JoinType.LEFT;
  }
}
