package io.rowtime.plan.convert;

import io.rowtime.catalog.CatalogObject;
import io.rowtime.diagnostic.DiagnosticException;
import io.rowtime.plan.constant.Constants;
import io.rowtime.plan.rel.WindowedInput;
import java.math.BigDecimal;
import java.util.Locale;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlWindow;
import org.apache.calcite.util.Util;

/** Reads the frame of a window in a FROM clause, and refuses what such a window cannot have. */
final class WindowFrames {
  private static final WindowedInput.Bound CURRENT = new WindowedInput.Bound("CURRENT_ROW", null);

  private WindowFrames() {}

  /** {@code n FOLLOWING} alone starts at the current row; {@code n PRECEDING} alone ends there. */
  static WindowedInput.Frame of(SqlWindow window) {
    check(window);
    boolean rows = window.isRows();
    SqlNode lower = window.getLowerBound();
    SqlNode upper = window.getUpperBound();
    WindowedInput.Bound low = bound(lower == null ? upper : lower, rows);
    WindowedInput.Bound high = upper == null ? CURRENT : bound(upper, rows);
    if (upper == null && low.kind().endsWith("FOLLOWING")) {
      return new WindowedInput.Frame(rows, CURRENT, low);
    }
    if (low.distance() > high.distance()) {
      throw refused(window, "A window in FROM cannot end before it begins", "write the earlier bound first: n PRECEDING comes before "
          + "CURRENT ROW, and that before n FOLLOWING");
    }
    return new WindowedInput.Frame(rows, low, high);
  }

  private static void check(SqlWindow window) {
    if (window.isRows() && !window.getPartitionList().isEmpty()) {
      throw refused(window.getPartitionList(), "A window of ROWS in FROM cannot have PARTITION BY: it holds the latest rows of the whole stream",
          "write b ASOF JOIN a, which joins each row of b with the latest row of a that has its keys; for all rows of some time, use a window of RANGE");
    }
    if (window.getOrderList().stream().anyMatch(key -> !isRowtime(key)) || window.getOrderList().size() > 1) {
      throw refused(window.getOrderList(), "A window in FROM goes by ROWTIME, the order of the stream, and by nothing else", "remove ORDER BY");
    }
    if (window.getExclude() != null && !SqlWindow.isExcludeNoOthers(window.getExclude())) {
      throw refused(window.getExclude(), "A window in FROM cannot have EXCLUDE: its base time is that of no row in particular",
          "exclude pairs by a condition in ON, such as a.id <> b.id");
    }
    if (!window.isAllowPartial()) {
      throw refused(window, "A window in FROM cannot have DISALLOW PARTIAL: rows match as soon as they are in their windows",
          "remove it; to pass over the beginning of a stream, compare its ROWTIME with a constant");
    }
    if (window.getLowerBound() == null && window.getUpperBound() == null) {
      throw refused(window, "A window in FROM needs a frame", "for example RANGE INTERVAL '1' HOUR PRECEDING");
    }
  }

  private static boolean isRowtime(SqlNode key) {
    return key instanceof SqlIdentifier id && Util.last(id.names).equalsIgnoreCase(CatalogObject.ROWTIME);
  }

  private static DiagnosticException refused(SqlNode place, String message, String hint) {
    return new DiagnosticException("RT0214", place.getParserPosition(), message, hint);
  }

  private static WindowedInput.Bound bound(SqlNode node, boolean rows) {
    if (SqlWindow.isCurrentRow(node)) {
      return CURRENT;
    }
    if (SqlWindow.isUnboundedPreceding(node) || SqlWindow.isUnboundedFollowing(node)) {
      throw refused(node, "A window in FROM cannot be UNBOUNDED: every row would be in it forever",
          "give it a length, as in RANGE INTERVAL '1' DAY PRECEDING; over relations, leave out OVER and compare the ROWTIMEs in ON");
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
