package io.rowtime.validate.desugar;

import io.rowtime.diagnostic.DiagnosticException;
import java.math.BigDecimal;
import org.apache.calcite.sql.SqlBasicCall;
import org.apache.calcite.sql.SqlIntervalLiteral;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNumericLiteral;
import org.apache.calcite.sql.SqlWindow;
import org.apache.calcite.sql.parser.SqlParserUtil;

/** Checks that the ends of a frame are constant and not negative, which Calcite does not. */
final class FrameEndChecks {
  private FrameEndChecks() {}

  static void check(SqlWindow window) {
    end(window.getLowerBound(), window.isRows());
    end(window.getUpperBound(), window.isRows());
  }

  private static void end(SqlNode end, boolean rows) {
    if (!(end instanceof SqlBasicCall call) || end.getKind() != SqlKind.PRECEDING && end.getKind() != SqlKind.FOLLOWING) {
      return;
    }
    SqlNode distance = call.operand(0);
    boolean negative = distance instanceof SqlIntervalLiteral interval
        && isNegative(interval.getValueAs(SqlIntervalLiteral.IntervalValue.class));
    BigDecimal number = distance instanceof SqlNumericLiteral literal ? literal.bigDecimalValue() : null;
    boolean constant = distance instanceof SqlIntervalLiteral || number != null;
    if (rows && (number == null || number.signum() < 0 || number.stripTrailingZeros().scale() > 0)) {
      throw new DiagnosticException("RT0121", distance.getParserPosition(), "A window of ROWS takes a whole number",
          "for example ROWS 3 PRECEDING");
    }
    if (!constant || negative || number != null && number.signum() < 0) {
      throw new DiagnosticException("RT0121", distance.getParserPosition(),
          "A window of RANGE takes a non-negative constant",
          "for example RANGE INTERVAL '1' HOUR PRECEDING; for the other direction, write FOLLOWING");
    }
  }

  /** The sign may be before the text of the literal, or in it. */
  private static boolean isNegative(SqlIntervalLiteral.IntervalValue value) {
    long length = value.getIntervalQualifier().isYearMonth() ? SqlParserUtil.intervalToMonths(value) : SqlParserUtil.intervalToMillis(value);
    return length < 0 || length > 0 && value.getSign() < 0;
  }
}
