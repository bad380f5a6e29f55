package io.rowtime.parse;

import org.apache.calcite.sql.validate.SqlConformance;
import org.apache.calcite.sql.validate.SqlConformanceEnum;
import org.apache.calcite.sql.validate.SqlDelegatingConformance;

/**
 * What the grammar takes beyond standard SQL. What a number in GROUP BY means is the validator's to ask, all else is syntax.
 */
public final class ParserConformance extends SqlDelegatingConformance {
  public static final SqlConformance INSTANCE = new ParserConformance();

  private ParserConformance() {
    super(SqlConformanceEnum.DEFAULT);
  }

  /** {@code a != b}. */
  @Override public boolean isBangEqualAllowed() {
    return true;
  }

  /** {@code a % b}. */
  @Override public boolean isPercentRemainderAllowed() {
    return true;
  }

  /** {@code ROW(a, b)}, which is also how {@code (a, b)} is written back. */
  @Override public boolean allowExplicitRowValueConstructor() {
    return true;
  }

  /** {@code GROUP BY 1}: by the first column of the result. */
  @Override public boolean isGroupByOrdinal() {
    return true;
  }

  /** {@code CROSS APPLY f(t.x)}. */
  @Override public boolean isApplyAllowed() {
    return true;
  }
}
