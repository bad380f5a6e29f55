package io.rowtime.plan.convert;

import io.rowtime.diagnostic.DiagnosticException;
import io.rowtime.plan.constant.Constants;
import io.rowtime.plan.rel.WindowedInput;
import java.math.BigDecimal;
import java.util.Locale;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlWindow;

/** Reads the frame of a window in a FROM clause. */
final class WindowFrames {
  private static final WindowedInput.Bound CURRENT = new WindowedInput.Bound("CURRENT_ROW", null);

  private WindowFrames() {}

  /** {@code n FOLLOWING} alone starts at the current row; {@code n PRECEDING} alone ends there. */
  static WindowedInput.Frame of(SqlWindow window) {
    boolean rows = window.isRows();
    SqlNode lower = window.getLowerBound();
    SqlNode upper = window.getUpperBound();
    WindowedInput.Bound low = lower == null ? new WindowedInput.Bound("UNBOUNDED_PRECEDING", null) : bound(lower, rows);
    WindowedInput.Bound high = upper == null ? CURRENT : bound(upper, rows);
    if (upper == null && low.kind().endsWith("FOLLOWING")) {
      return new WindowedInput.Frame(rows, CURRENT, low);
    }
    return new WindowedInput.Frame(rows, low, high);
  }

  private static WindowedInput.Bound bound(SqlNode node, boolean rows) {
    if (SqlWindow.isCurrentRow(node)) {
      return CURRENT;
    }
    if (SqlWindow.isUnboundedPreceding(node)) {
      return new WindowedInput.Bound("UNBOUNDED_PRECEDING", null);
    }
    if (SqlWindow.isUnboundedFollowing(node)) {
      return new WindowedInput.Bound("UNBOUNDED_FOLLOWING", null);
    }
    SqlCall call = (SqlCall) node;
    SqlNode amount = call.operand(0);
    BigDecimal count = Constants.number(amount);
    Long offset = rows ? count == null ? null : Long.valueOf(count.longValue()) : Constants.millis(amount);
    if (offset == null) {
      throw new DiagnosticException("RT0121", amount.getParserPosition(),
          rows ? "A window of ROWS takes a whole number" : "A window of RANGE over a stream takes a day-time interval",
          rows ? "for example ROWS 3 PRECEDING" : "for example RANGE INTERVAL '1' HOUR PRECEDING");
    }
    return new WindowedInput.Bound(call.getOperator().getName().toUpperCase(Locale.ROOT), offset);
  }
}
