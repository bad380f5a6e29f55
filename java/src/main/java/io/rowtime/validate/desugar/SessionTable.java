package io.rowtime.validate.desugar;

import io.rowtime.diagnostic.DiagnosticException;
import io.rowtime.validate.AstRewriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlFunctionCategory;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlSelect;
import org.apache.calcite.sql.SqlUnresolvedFunction;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.util.Util;

/**
 * {@code FROM TABLE(SESSION(TABLE t, DESCRIPTOR(time), DESCRIPTOR(key), gap)) GROUP BY window_start, window_end, key} is
 * {@code FROM t GROUP BY SESSION(time, gap), key}.
 */
final class SessionTable {
  private static final String START = "WINDOW_START";
  private static final String END = "WINDOW_END";

  private final SqlSelect select;
  private final List<SqlNode> arguments;
  private final SqlIdentifier time;
  private final SqlNode gap;

  private SessionTable(SqlSelect select, List<SqlNode> arguments) {
    this.select = select;
    this.arguments = arguments;
    this.time = columns(arguments.get(1)).get(0);
    this.gap = arguments.get(3);
  }

  /** Rewrites every SELECT from such a table below {@code query}. */
  static SqlNode resolve(SqlNode query) {
    return AstRewriter.rewrite(query, node -> {
      if (!(node instanceof SqlSelect select) || select.getFrom() == null) {
        return node;
      }
      SqlNode from = select.getFrom();
      SqlNode table = from.getKind() == SqlKind.AS ? ((SqlCall) from).operand(0) : from;
      if (table.getKind() == SqlKind.COLLECTION_TABLE && ((SqlCall) table).operand(0) instanceof SqlCall call
          && TableFunctionSyntax.isSession(call) && select.getGroup() != null && select.getGroup().stream().anyMatch(SessionTable::isEnd)) {
        new SessionTable(select, TableFunctionSyntax.sessionArguments(call)).rewrite();
      }
      return node;
    });
  }

  private void rewrite() {
    SqlNodeList group = select.getGroup();
    Set<String> keys = columns(arguments.get(2)).stream().map(SessionTable::last).collect(Collectors.toSet());
    Set<String> grouped = group.stream().filter(SqlIdentifier.class::isInstance).map(key -> last((SqlIdentifier) key))
        .collect(Collectors.toSet());
    Set<String> wanted = Stream.concat(Stream.of(START, END), keys.stream()).collect(Collectors.toSet());
    if (!grouped.equals(wanted) || grouped.size() != group.size()) {
      throw new DiagnosticException("RT0122", group.getParserPosition(), "Sessions must be grouped by their start, their end and their keys",
          "write GROUP BY " + String.join(", ", Stream.concat(Stream.of(START, END), keys.stream().sorted()).toList()).toLowerCase(Locale.ROOT));
    }
    List<SqlNode> others = group.stream().filter(key -> !isEnd(key)).collect(Collectors.toCollection(ArrayList::new));
    SqlParserPos pos = group.getParserPosition();
    others.add(0, SqlStdOperatorTable.SESSION_OLD.createCall(pos, time.clone(pos), gap.clone(pos)));
    select.setGroupBy(new SqlNodeList(others, pos));
    SqlNodeList items = new SqlNodeList(select.getSelectList().getParserPosition());
    for (SqlNode item : select.getSelectList()) {
      // An item that is one of the two columns keeps its name.
      items.add(!isEnd(item) ? replaced(item) : SqlStdOperatorTable.AS.createCall(item.getParserPosition(), replaced(item),
          new SqlIdentifier(last((SqlIdentifier) item), item.getParserPosition())));
    }
    select.setSelectList(items);
    select.setHaving(replaced(select.getHaving()));
    select.setQualify(replaced(select.getQualify()));
    select.setOrderBy((SqlNodeList) replaced(select.getOrderList()));
    for (int i = 0; i < select.getWindowList().size(); i++) {
      select.getWindowList().set(i, replaced(select.getWindowList().get(i)));
    }
    SqlNode table = TableFunctionSyntax.source(arguments.get(0));
    if (select.getFrom().getKind() == SqlKind.AS) {
      ((SqlCall) select.getFrom()).setOperand(0, table);
    } else {
      select.setFrom(table);
    }
  }

  private SqlNode replaced(SqlNode clause) {
    return AstRewriter.rewrite(clause, node -> !isEnd(node) ? node
        : call(last((SqlIdentifier) node).equals(START) ? "SESSION_START" : "SESSION_END", node.getParserPosition()));
  }

  private SqlCall call(String function, SqlParserPos pos) {
    return new SqlUnresolvedFunction(new SqlIdentifier(function, pos), null, null, null, null,
        SqlFunctionCategory.USER_DEFINED_FUNCTION).createCall(pos, time.clone(pos), gap.clone(pos));
  }

  private static boolean isEnd(SqlNode node) {
    return node instanceof SqlIdentifier id && !id.isStar() && (last(id).equals(START) || last(id).equals(END));
  }

  private static List<SqlIdentifier> columns(SqlNode descriptor) {
    return descriptor == null ? List.of()
        : (descriptor instanceof SqlNodeList list ? list.getList() : ((SqlCall) descriptor).getOperandList()).stream()
            .map(SqlIdentifier.class::cast).toList();
  }

  private static String last(SqlIdentifier id) {
    return Util.last(id.names).toUpperCase(Locale.ROOT);
  }
}
