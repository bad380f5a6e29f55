package io.rowtime.validate;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.apache.calcite.sql.JoinConditionType;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlJoin;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlSelect;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.validate.SqlNameMatcher;
import org.apache.calcite.sql.validate.SqlValidatorUtil;

/**
 * Resolves the columns that JOIN … USING and NATURAL JOIN merge, if they are named without a table. Calcite resolves
 * them in the SELECT list and in GROUP BY, but reports them as ambiguous in WHERE, HAVING, WINDOW, QUALIFY and ORDER
 * BY. Before validation they become COALESCE of both sides, so that they mean the same everywhere.
 */
final class CommonColumns {
  private final Function<SqlJoin, List<String>> common;
  private final Function<SqlNode, List<String>> columns;
  private final SqlNameMatcher names;
  private final SqlSelect select;

  private CommonColumns(SqlSelect select, Function<SqlJoin, List<String>> common, Function<SqlNode, List<String>> columns,
      SqlNameMatcher names) {
    this.select = select;
    this.common = common;
    this.columns = columns;
    this.names = names;
  }

  /**
   * Changes the clauses of {@code select} in place.
   *
   * @param common returns the names of the columns that a join merges
   * @param columns returns the names of the columns of a relation in FROM
   */
  static void resolve(SqlSelect select, Function<SqlJoin, List<String>> common, Function<SqlNode, List<String>> columns,
      SqlNameMatcher names) {
    if (!(select.getFrom() instanceof SqlJoin join) || !merges(join)) {
      return;
    }
    CommonColumns merged = new CommonColumns(select, common, columns, names);
    merged.resolveSelectList(select.getSelectList());
    select.setWhere(merged.resolve(select.getWhere(), false));
    merged.resolve(select.getGroup(), false);
    select.setHaving(merged.resolve(select.getHaving(), false));
    select.setQualify(merged.resolve(select.getQualify(), true));
    merged.resolve(select.getWindowList(), false);
    merged.resolve(select.getOrderList(), true);
  }

  private static boolean merges(SqlNode from) {
    return from instanceof SqlJoin join
        && (join.isNatural() || join.getConditionType() == JoinConditionType.USING || merges(join.getLeft()) || merges(join.getRight()));
  }

  /** Rewrites the SELECT list; an item that is a plain column keeps the column's name. */
  private void resolveSelectList(SqlNodeList list) {
    list.replaceAll(item -> {
      SqlNode after = resolve(item, false);
      return after == item ? item : SqlStdOperatorTable.AS.createCall(item.getParserPosition(), after, item);
    });
  }

  /** @param aliases whether aliases of the SELECT list take precedence over columns */
  private SqlNode resolve(SqlNode node, boolean aliases) {
    if (node != null && node.getKind() == SqlKind.AS) {
      SqlCall named = (SqlCall) node;
      named.setOperand(0, resolve(named.operand(0), aliases));
      return named;
    }
    if (node instanceof SqlIdentifier id && id.isSimple() && !id.isStar()) {
      return aliases && isAlias(id.getSimple()) ? id : coalesce(id);
    }
    if (node instanceof SqlNodeList list) {
      list.replaceAll(each -> each == null ? null : resolve(each, aliases));
    } else if (node instanceof SqlCall call && !node.isA(SqlKind.QUERY)) {
      for (int i = 0; i < call.operandCount(); i++) {
        SqlNode before = call.operand(i);
        SqlNode after = before == null ? null : resolve(before, aliases);
        if (after != before) {
          call.setOperand(i, after);
        }
      }
    }
    return node;
  }

  private boolean isAlias(String name) {
    return select.getSelectList().stream().anyMatch(item -> item.getKind() == SqlKind.AS
        && names.matches(((SqlIdentifier) ((SqlCall) item).operand(1)).getSimple(), name));
  }

  private SqlNode coalesce(SqlIdentifier id) {
    List<SqlNode> sides = sides(select.getFrom(), id);
    return sides.size() < 2 ? id : SqlStdOperatorTable.COALESCE.createCall(id.getParserPosition(), sides);
  }

  /**
   * Returns the columns of the relations from which {@code from} merges the column; empty if it is ambiguous, or is not
   * merged.
   */
  private List<SqlNode> sides(SqlNode from, SqlIdentifier id) {
    if (!(from instanceof SqlJoin join)) {
      String alias = SqlValidatorUtil.alias(from);
      boolean has = alias != null && names.indexOf(columns.apply(from), id.getSimple()) >= 0;
      return has ? List.of(new SqlIdentifier(List.of(alias, id.getSimple()), id.getParserPosition())) : List.of();
    }
    List<SqlNode> left = sides(join.getLeft(), id);
    List<SqlNode> right = sides(join.getRight(), id);
    List<String> merged = common.apply(join);
    boolean both = !left.isEmpty() && !right.isEmpty();
    if (both && (merged == null || names.indexOf(merged, id.getSimple()) < 0)) {
      return List.of();
    }
    List<SqlNode> all = new ArrayList<>(left);
    all.addAll(right);
    return all;
  }
}
