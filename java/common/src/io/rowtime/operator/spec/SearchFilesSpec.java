package io.rowtime.operator.spec;

import java.util.List;

/**
 * The parameters of SEARCH_KEY of a table of files: each row is joined with the rows of the table that have its keys.
 *
 * @param keys the columns with the values to look up; a row with a NULL among them finds nothing
 * @param searched the columns of the table that they are compared with, in the same order
 * @param cacheTtl how long the driver caches results (microseconds); null to cache them as long as the table has the
 *     same version
 * @param cacheRows how many rows the driver caches
 * @param cacheMisses whether it also caches that a key has no row
 */
public record SearchFilesSpec(JoinType joinType, List<String> keys, List<String> searched, @Nullable Long cacheTtl,
    int cacheRows, boolean cacheMisses) implements OperatorSpec {
  /** LEFT also returns rows that find nothing. */
  public enum JoinType { INNER, LEFT }

  public SearchFilesSpec {
    if (keys.isEmpty() || keys.size() != searched.size()) {
      throw new IllegalArgumentException("keys and searched differ in number");
    }
  }
}
