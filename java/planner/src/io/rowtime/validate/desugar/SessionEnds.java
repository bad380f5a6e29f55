package io.rowtime.validate.desugar;

import io.rowtime.validate.AstRewriter;
import org.apache.calcite.sql.SqlBasicCall;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlSelect;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.util.Litmus;

/**
 * Rewrites SESSION_START and SESSION_END of {@code GROUP BY SESSION(time, gap)}: the earliest time of the session, and
 * one gap after its latest. For Calcite, both would be the grouping value.
 */
final class SessionEnds {
  private SessionEnds() {}

  static void resolve(SqlSelect select) {
    if (select.getGroup() == null) {
      return;
    }
    for (SqlNode key : select.getGroup()) {
      if (key instanceof SqlBasicCall session && isNamed(session, "SESSION") && session.operandCount() == 2) {
        select.setSelectList((SqlNodeList) replace(select.getSelectList(), session));
        select.setHaving(replace(select.getHaving(), session));
        select.setOrderBy((SqlNodeList) replace(select.getOrderList(), session));
      }
    }
  }

  private static SqlNode replace(SqlNode clause, SqlCall session) {
    return clause == null ? null : AstRewriter.rewrite(clause, node -> {
      if (!(node instanceof SqlBasicCall call) || call.operandCount() != 2
          || !call.operand(0).equalsDeep(session.operand(0), Litmus.IGNORE)
          || !call.operand(1).equalsDeep(session.operand(1), Litmus.IGNORE)) {
        return node;
      }
      SqlParserPos pos = call.getParserPosition();
      if (isNamed(call, "SESSION_START")) {
        return SqlStdOperatorTable.MIN.createCall(pos, call.operand(0).clone(pos));
      }
      return !isNamed(call, "SESSION_END") ? node
          : SqlStdOperatorTable.PLUS.createCall(pos, SqlStdOperatorTable.MAX.createCall(pos, call.operand(0).clone(pos)), call.operand(1));
    });
  }

  private static boolean isNamed(SqlCall call, String name) {
    return call.getOperator().getName().replace("$", "").equalsIgnoreCase(name) || call.getKind() == SqlKind.valueOf(name);
  }
}
