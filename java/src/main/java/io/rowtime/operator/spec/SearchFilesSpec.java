package io.rowtime.operator.spec;

import java.util.List;

/**
 * SEARCH_KEY of a table of files: each row meets the rows of the table whose keys are those that it asks for.
 *
 * @param keys columns with the values that are looked up; a row in which one is NULL finds nothing
 * @param searched the columns of the table that they are compared with, in the same order
 * @param condition over the columns of both, as Spark SQL; null where the keys say all
 * @param cacheTtl how long the driver keeps what it has found (microseconds); null: as long as the table has the same version
 * @param cacheRows how many rows it keeps
 * @param cacheMisses whether it also keeps that a key has no row
 */
public record SearchFilesSpec(JoinType joinType, List<String> keys, List<String> searched, @Nullable String condition, @Nullable Long cacheTtl,
    int cacheRows, boolean cacheMisses) implements OperatorSpec {
  /** LEFT: rows that find nothing come out as well. */
  public enum JoinType { INNER, LEFT }

  public SearchFilesSpec {
    if (keys.isEmpty() || keys.size() != searched.size()) {
      throw new IllegalArgumentException("keys and searched differ in number");
    }
  }
}
