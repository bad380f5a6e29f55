package io.rowtime.parse;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.apache.calcite.sql.SqlBasicCall;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlFunction;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlOperator;
import org.apache.calcite.sql.SqlSpecialOperator;
import org.apache.calcite.sql.SqlWriter;
import org.apache.calcite.sql.fun.SqlCase;
import org.apache.calcite.sql.parser.SqlParserPos;

/**
 * Puts parentheses around queries that are arguments: Calcite writes {@code f(SELECT 1 UNION SELECT 2, 3)}, which is
 * not valid SQL.
 */
final class Parentheses {
  // A plain SELECT has parentheses already.
  private static final Set<SqlKind> QUERIES = EnumSet.of(SqlKind.UNION, SqlKind.INTERSECT, SqlKind.EXCEPT,
      SqlKind.ORDER_BY, SqlKind.WITH, SqlKind.VALUES);

  private static final Set<SqlKind> LISTS = EnumSet.of(SqlKind.ROW, SqlKind.ARRAY_VALUE_CONSTRUCTOR,
      SqlKind.MAP_VALUE_CONSTRUCTOR, SqlKind.MULTISET_VALUE_CONSTRUCTOR, SqlKind.ARGUMENT_ASSIGNMENT);

  private static final SqlOperator PARENTHESES = new SqlSpecialOperator("()", SqlKind.OTHER, 200) {
    @Override public void unparse(SqlWriter writer, SqlCall call, int leftPrec, int rightPrec) {
      SqlWriter.Frame frame = writer.startList("(", ")");
      call.operand(0).unparse(writer, 0, 0);
      writer.endList(frame);
    }
  };

  private Parentheses() {}

  /** Returns the call in the form to write. */
  static SqlCall aroundArguments(SqlCall call) {
    if (call instanceof SqlCase c) {
      return new SqlCase(SqlParserPos.ZERO, around(c.getValueOperand()), around(c.getWhenOperands()),
          around(c.getThenOperands()), around(c.getElseOperand()));
    }
    boolean list = call.getOperator() instanceof SqlFunction || LISTS.contains(call.getKind());
    if (!list || !(call instanceof SqlBasicCall) || call.getOperandList().stream().noneMatch(Parentheses::isQuery)) {
      return call;
    }
    List<SqlNode> operands = new ArrayList<>();
    call.getOperandList().forEach(operand -> operands.add(around(operand)));
    return new SqlBasicCall(call.getOperator(), operands, call.getParserPosition(), call.getFunctionQuantifier());
  }

  /** Returns the node, in parentheses if it is a query. */
  static SqlNode around(SqlNode node) {
    return isQuery(node) ? PARENTHESES.createCall(node.getParserPosition(), node) : node;
  }

  private static SqlNodeList around(SqlNodeList nodes) {
    SqlNodeList list = new SqlNodeList(nodes.getParserPosition());
    nodes.forEach(node -> list.add(around(node)));
    return list;
  }

  private static boolean isQuery(SqlNode node) {
    return node != null && QUERIES.contains(node.getKind());
  }
}
