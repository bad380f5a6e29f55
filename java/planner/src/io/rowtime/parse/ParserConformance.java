package io.rowtime.parse;

import org.apache.calcite.sql.validate.SqlConformance;
import org.apache.calcite.sql.validate.SqlConformanceEnum;
import org.apache.calcite.sql.validate.SqlDelegatingConformance;

/**
 * Extensions of standard SQL that the grammar accepts. All are syntax, except the meaning of a number in GROUP BY,
 * which the validator asks for.
 */
public final class ParserConformance extends SqlDelegatingConformance {
  public static final SqlConformance INSTANCE = new ParserConformance();

  private ParserConformance() {
    super(SqlConformanceEnum.DEFAULT);
  }

  /** Accepts {@code a != b}. */
  @Override public boolean isBangEqualAllowed() {
    return true;
  }

  /** Accepts {@code a % b}. */
  @Override public boolean isPercentRemainderAllowed() {
    return true;
  }

  /** Accepts {@code ROW(a, b)}, which is also how {@code (a, b)} is unparsed. */
  @Override public boolean allowExplicitRowValueConstructor() {
    return true;
  }

  /** Accepts {@code GROUP BY 1}: by the first column of the result. */
  @Override public boolean isGroupByOrdinal() {
    return true;
  }

  /** Accepts {@code a MINUS b}, which is EXCEPT. */
  @Override public boolean isMinusAllowed() {
    return true;
  }

  /** Accepts {@code CROSS APPLY f(t.x)}. */
  @Override public boolean isApplyAllowed() {
    return true;
  }
}
