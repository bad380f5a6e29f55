package io.rowtime.statement;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlHint;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlOrderBy;
import org.apache.calcite.sql.SqlSelect;
import org.apache.calcite.sql.SqlWith;

/** Hints for the runtime, such as {@code SELECT /*+ FROM_EARLIEST *}{@code / STREAM …}. */
final class QueryHints {
  private QueryHints() {}

  /** Names of the hints on the top-most SELECT. */
  static List<String> of(SqlNode query) {
    SqlNode top = query;
    while (!(top instanceof SqlSelect)) {
      if (top instanceof SqlOrderBy orderBy) {
        top = orderBy.query;
      } else if (top instanceof SqlWith with) {
        top = with.body;
      } else if (top instanceof SqlCall call && top.isA(SqlKind.SET_QUERY)) {
        top = call.operand(0);
      } else {
        return List.of();
      }
    }
    List<String> hints = new ArrayList<>();
    SqlSelect select = (SqlSelect) top;
    if (select.hasHints()) {
      for (SqlNode hint : select.getHints()) {
        hints.add(((SqlHint) hint).getName().toUpperCase(Locale.ROOT));
      }
    }
    return hints;
  }
}
