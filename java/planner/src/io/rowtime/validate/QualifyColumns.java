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
 * Resolves names in QUALIFY that are both a column and an alias of the SELECT list: they mean the column, as in WHERE,
 * where analytic calls may also occur. In a query with groups, where columns can only be read within aggregate
 * functions, they mean the column only there. Calcite would use the alias everywhere: for {@code SUM(units) AS units}
 * the result would be a SUM of a SUM.
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
      select.setQualify(new QualifyColumns(scope, names).resolve(select.getQualify(), select.getGroup() == null));
    }
  }

  /** @param columns whether names mean columns here */
  private SqlNode resolve(SqlNode node, boolean columns) {
    if (node instanceof SqlIdentifier id) {
      boolean column = columns && id.isSimple() && !id.isStar() && scope.findQualifyingTableNames(id.getSimple(), id, names).size() == 1;
      return column ? scope.fullyQualify(id).identifier : id;
    }
    if (node instanceof SqlNodeList list) {
      list.replaceAll(element -> element == null ? null : resolve(element, columns));
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
        resolve(window.getPartitionList(), columns);
        resolve(window.getOrderList(), columns);
      } else if (operand != null && !over) {
        SqlNode after = resolve(operand, columns || aggregate);
        if (after != operand) {
          call.setOperand(i, after);
        }
      }
    }
    return call;
  }

  /**
   * Rewrites the arguments of an analytic function, which is not an aggregate over rows: its arguments are read from
   * the groups.
   */
  private void arguments(SqlCall function, boolean columns) {
    for (int i = 0; i < function.operandCount(); i++) {
      SqlNode operand = function.operand(i);
      boolean wrapped = function.getKind() == SqlKind.IGNORE_NULLS || function.getKind() == SqlKind.RESPECT_NULLS;
      if (wrapped && operand instanceof SqlCall inner) {
        arguments(inner, columns);
      } else if (operand != null) {
        SqlNode after = resolve(operand, columns);
        if (after != operand) {
          function.setOperand(i, after);
        }
      }
    }
  }
}
