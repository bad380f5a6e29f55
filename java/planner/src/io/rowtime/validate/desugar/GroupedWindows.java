package io.rowtime.validate.desugar;

import io.rowtime.validate.AstRewriter;
import java.util.Arrays;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlSelect;
import org.apache.calcite.sql.SqlWindow;

/**
 * Orders the windows of a query with GROUP BY, which read its groups: without ORDER BY they are ordered by the groups'
 * ROWTIME, which is the expression that is selected as ROWTIME, or else the key derived from it.
 */
public final class GroupedWindows {
  private static final Set<String> ROUNDED_BY = Set.of("TIMESTAMP_TRUNC", "DATETIME_TRUNC", "DATE_TRUNC");

  private GroupedWindows() {}

  static void order(SqlSelect select) {
    SqlNode rowtime = select.getGroup() == null ? null : rowtime(select);
    if (rowtime == null) {
      return;
    }
    // Without FROM, because the windows of a sub-query are its own.
    for (SqlNode clause : Arrays.asList(select.getSelectList(), select.getWindowList(), select.getQualify())) {
      AstRewriter.rewrite(clause, node -> {
        if (node instanceof SqlWindow window && window.getRefName() == null && window.getOrderList().isEmpty()) {
          window.setOperand(3, SqlNodeList.of(rowtime.clone(window.getParserPosition())));
        }
        return node;
      });
    }
  }

  /** Returns whether windows without ORDER BY in the query are ordered. */
  public static boolean orders(SqlSelect select) {
    return select.getGroup() != null && rowtime(select) != null;
  }

  private static SqlNode rowtime(SqlSelect select) {
    Stream<SqlNode> named = select.getSelectList().stream()
        .filter(item -> item.getKind() == SqlKind.AS && Desugaring.isRowtime(((SqlCall) item).operand(1)))
        .map(item -> ((SqlCall) item).operand(0));
    return Stream.concat(named, select.getGroup().stream().filter(Objects::nonNull).filter(GroupedWindows::isTime))
        .filter(expression -> !Desugaring.hasOver(expression)).findFirst().orElse(null);
  }

  private static boolean isTime(SqlNode key) {
    if (key instanceof SqlIdentifier) {
      return Desugaring.isRowtime(key);
    }
    boolean rounded = key.getKind() == SqlKind.FLOOR || key.getKind() == SqlKind.CEIL
        || key instanceof SqlCall call && ROUNDED_BY.contains(call.getOperator().getName().toUpperCase(Locale.ROOT));
    return rounded && ((SqlCall) key).getOperandList().stream().anyMatch(Desugaring::isRowtime);
  }
}
