package io.rowtime.plan.constant;

import java.math.BigDecimal;
import org.apache.calcite.sql.SqlIntervalLiteral;
import org.apache.calcite.sql.SqlIntervalLiteral.IntervalValue;
import org.apache.calcite.sql.SqlIntervalQualifier;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNumericLiteral;
import org.apache.calcite.sql.parser.SqlParserUtil;

/** Reads the values of constant expressions in declarations. */
public final class Constants {
  private Constants() {}

  /**
   * Returns the milliseconds of a day-time interval literal such as {@code INTERVAL '1:00' HOUR TO MINUTE}; null for
   * anything else.
   */
  public static Long millis(SqlNode node) {
    if (!(node instanceof SqlIntervalLiteral literal)) {
      return null;
    }
    IntervalValue value = literal.getValueAs(IntervalValue.class);
    SqlIntervalQualifier qualifier = value.getIntervalQualifier();
    if (qualifier.isYearMonth()) {
      return null;
    }
    return value.getSign() * SqlParserUtil.intervalToMillis(value);
  }

  /** Returns the whole number of a literal, such as the 3 of {@code ROWS 3 PRECEDING}; null for anything else. */
  public static BigDecimal number(SqlNode node) {
    return node instanceof SqlNumericLiteral literal ? literal.bigDecimalValue() : null;
  }
}
