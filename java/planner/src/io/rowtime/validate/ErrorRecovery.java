package io.rowtime.validate;

import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlJoin;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlLiteral;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlSelect;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.util.SqlBasicVisitor;
import org.apache.calcite.util.Util;

/** Removes known errors from a statement, so that the validator, which stops at its first error, finds the next one. */
public final class ErrorRecovery {
  private ErrorRecovery() {}

  /**
   * Blanks the part of a clause that contains an error: an item of a SELECT list becomes NULL, a condition TRUE. A QUALIFY
   * clause that names such an item goes: it needs a window function.
   *
   * @return false if the error is in a clause on which others depend (FROM, GROUP BY, QUALIFY, ORDER BY): later errors would
   *     only be consequences of this one
   */
  public static boolean blank(SqlNode statement, SqlParserPos error) {
    List<SqlSelect> selects = new ArrayList<>();
    AstRewriter.rewrite(statement, node -> {
      if (node instanceof SqlSelect select && contains(select, error)) {
        selects.add(select);
      }
      return node;
    });
    // From the leaves up, so the innermost SELECT with the error comes first.
    return selects.stream().anyMatch(select -> blankIn(select, error));
  }

  private static boolean blankIn(SqlSelect select, SqlParserPos error) {
    SqlNodeList items = select.getSelectList();
    for (int i = 0; i < items.size(); i++) {
      SqlNode item = items.get(i);
      if (contains(item, error)) {
        String name = name(item);
        if (name == null || name.equalsIgnoreCase("ROWTIME")) {
          return false;
        }
        items.set(i, SqlStdOperatorTable.AS.createCall(item.getParserPosition(),
            SqlLiteral.createNull(item.getParserPosition()), new SqlIdentifier(name, item.getParserPosition())));
        if (names(select.getQualify(), name)) {
          select.setQualify(null);
        }
        return true;
      }
    }
    SqlNode where = without(select.getWhere(), error);
    SqlNode having = without(select.getHaving(), error);
    boolean changed = where != select.getWhere() || having != select.getHaving();
    select.setWhere(where);
    select.setHaving(having);
    return changed || select.getFrom() instanceof SqlJoin join && blankIn(join, error);
  }

  private static boolean blankIn(SqlJoin join, SqlParserPos error) {
    SqlNode condition = without(join.getCondition(), error);
    if (condition != join.getCondition()) {
      join.setOperand(5, condition);
      return true;
    }
    return join.getLeft() instanceof SqlJoin left && blankIn(left, error);
  }

  private static SqlNode without(SqlNode condition, SqlParserPos error) {
    if (condition == null || !contains(condition, error)) {
      return condition;
    }
    if (condition.getKind() == SqlKind.AND) {
      SqlCall and = (SqlCall) condition;
      return SqlStdOperatorTable.AND.createCall(and.getParserPosition(),
          and.getOperandList().stream().map(c -> without(c, error)).toList());
    }
    return SqlLiteral.createBoolean(true, condition.getParserPosition());
  }

  private static String name(SqlNode item) {
    SqlNode named = item.getKind() == SqlKind.AS ? ((SqlCall) item).operand(1) : item;
    if (named instanceof SqlIdentifier id) {
      return id.isStar() ? null : Util.last(id.names);
    }
    return "EXPR";
  }

  /** Returns whether a clause, which may be missing, contains a name without qualifiers. */
  private static boolean names(SqlNode clause, String name) {
    if (clause == null) {
      return false;
    }
    boolean[] found = {false};
    clause.accept(new SqlBasicVisitor<Void>() {
      @Override public Void visit(SqlIdentifier id) {
        found[0] |= id.isSimple() && id.getSimple().equalsIgnoreCase(name);
        return null;
      }
    });
    return found[0];
  }

  private static boolean contains(SqlNode node, SqlParserPos inner) {
    SqlParserPos outer = node.getParserPosition();
    return !before(inner.getLineNum(), inner.getColumnNum(), outer.getLineNum(), outer.getColumnNum())
        && !before(outer.getEndLineNum(), outer.getEndColumnNum(), inner.getEndLineNum(), inner.getEndColumnNum());
  }

  private static boolean before(int line, int column, int otherLine, int otherColumn) {
    return line < otherLine || line == otherLine && column < otherColumn;
  }
}
