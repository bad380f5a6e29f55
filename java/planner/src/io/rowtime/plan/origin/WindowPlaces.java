package io.rowtime.plan.origin;

import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlIntervalLiteral;
import org.apache.calcite.sql.SqlIntervalQualifier;
import org.apache.calcite.sql.SqlLiteral;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlWindow;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.util.SqlBasicVisitor;
import org.apache.calcite.util.Util;

/**
 * The positions of what may be refused in a SELECT's windows: the first of each kind; null if there is none.
 *
 * @param exclusion the position of EXCLUDE in a frame
 * @param months the position of the distance of a frame's border that is given in months
 * @param grouped the position of a TUMBLE, HOP or SESSION by months in GROUP BY
 */
public record WindowPlaces(SqlParserPos exclusion, SqlParserPos months, SqlParserPos grouped) {
  static final WindowPlaces NONE = new WindowPlaces(null, null, null);
  private static final Set<String> GROUP_WINDOWS = Set.of("TUMBLE", "HOP", "SESSION", "$TUMBLE", "$HOP", "$SESSION");

  /**
   * Returns the positions of a SELECT.
   *
   * @param windows the windows of its analytic calls
   * @param keys its grouping
   */
  static WindowPlaces of(List<SqlWindow> windows, List<SqlNode> keys) {
    return new WindowPlaces(first(windows.stream().map(SqlWindow::getExclude).filter(exclude -> exclude != null && !SqlWindow.isExcludeNoOthers(exclude))
        .map(SqlNode::getParserPosition)), first(windows.stream().flatMap(window -> Stream.of(window.getLowerBound(), window.getUpperBound())
        .filter(Objects::nonNull)).filter(WindowPlaces::isOfMonths).map(WindowPlaces::distance)),
        first(keys.stream().filter(key -> key instanceof SqlCall call && GROUP_WINDOWS.contains(call.getOperator().getName().toUpperCase(Locale.ROOT)))
            .filter(WindowPlaces::isOfMonths).map(SqlNode::getParserPosition)));
  }

  private static SqlParserPos first(Stream<SqlParserPos> places) {
    return places.filter(place -> place.getLineNum() > 0).findFirst().orElse(null);
  }

  private static boolean isOfMonths(SqlNode node) {
    try {
      node.accept(new SqlBasicVisitor<Void>() {
        @Override public Void visit(SqlIntervalQualifier interval) {
          return found(interval);
        }

        @Override public Void visit(SqlLiteral literal) {
          return literal.getValue() instanceof SqlIntervalLiteral.IntervalValue value ? found(value.getIntervalQualifier()) : null;
        }

        private Void found(SqlIntervalQualifier interval) {
          if (interval.isYearMonth()) {
            throw Util.FoundOne.NULL;
          }
          return null;
        }
      });
      return false;
    } catch (Util.FoundOne found) {
      return true;
    }
  }

  private static SqlParserPos distance(SqlNode border) {
    return border instanceof SqlCall call && call.operandCount() > 0 ? call.operand(0).getParserPosition() : border.getParserPosition();
  }
}
