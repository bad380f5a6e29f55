package io.rowtime.validate;

import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlSelect;
import org.apache.calcite.sql.SqlWindow;
import org.apache.calcite.sql.validate.SqlNameMatcher;
import org.apache.calcite.sql.validate.SqlValidatorScope;

/**
 * A name in QUALIFY that is both a column's and an alias of the SELECT list's means the column, as it does in the WHERE that
 * analytic calls may stand in. Over groups, where columns can only be read within aggregate functions, it does so there.
 * Calcite would take the alias everywhere: {@code SUM(units) AS units} makes a SUM of a SUM of it.
 */
final class QualifyColumns {
  private final SqlValidatorScope scope;
  private final SqlNameMatcher names;

  private QualifyColumns(SqlValidatorScope scope, SqlNameMatcher names) {
    this.scope = scope;
    this.names = names;
  }

  static void resolve(SqlSelect select, SqlValidatorScope scope, SqlNameMatcher names) {
    if (select.getQualify() != null) {
      select.setQualify(new QualifyColumns(scope, names).resolved(select.getQualify(), select.getGroup() == null));
    }
  }

  /** @param columns whether names mean columns here */
  private SqlNode resolved(SqlNode node, boolean columns) {
    if (node instanceof SqlIdentifier id) {
      boolean column = columns && id.isSimple() && !id.isStar() && scope.findQualifyingTableNames(id.getSimple(), id, names).size() == 1;
      return column ? scope.fullyQualify(id).identifier : id;
    }
    if (node instanceof SqlNodeList list) {
      list.replaceAll(element -> element == null ? null : resolved(element, columns));
      return list;
    }
    if (!(node instanceof SqlCall call) || node instanceof SqlSelect) {
      return node;
    }
    boolean over = call.getKind() == SqlKind.OVER;
    boolean aggregate = !over && call.getOperator().isAggregator();
    for (int i = 0; i < call.operandCount(); i++) {
      SqlNode operand = call.operand(i);
      if (over && i == 0 && operand instanceof SqlCall function) {
        arguments(function, columns);
      } else if (over && i == 1 && operand instanceof SqlWindow window) {
        resolved(window.getPartitionList(), columns);
        resolved(window.getOrderList(), columns);
      } else if (operand != null && !over) {
        SqlNode after = resolved(operand, columns || aggregate);
        if (after != operand) {
          call.setOperand(i, after);
        }
      }
    }
    return call;
  }

  /** An analytic function is no aggregate of rows: its arguments are read of the groups. */
  private void arguments(SqlCall function, boolean columns) {
    for (int i = 0; i < function.operandCount(); i++) {
      SqlNode operand = function.operand(i);
      boolean wrapped = function.getKind() == SqlKind.IGNORE_NULLS || function.getKind() == SqlKind.RESPECT_NULLS;
      if (wrapped && operand instanceof SqlCall inner) {
        arguments(inner, columns);
      } else if (operand != null) {
        SqlNode after = resolved(operand, columns);
        if (after != operand) {
          function.setOperand(i, after);
        }
      }
    }
  }
}
