package io.rowtime.plan.origin;

import io.rowtime.catalog.CatalogObject;
import io.rowtime.validate.function.RowtimeOperators;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.calcite.sql.SqlAsofJoin;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlJoin;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlSelect;
import org.apache.calcite.sql.SqlWindow;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.util.SqlBasicVisitor;

/**
 * The positions of the clauses of a SELECT, and the origins of the nodes that are made from them.
 *
 * @param filters the positions of the conditions of QUALIFY, HAVING and WHERE
 * @param rowtime the position of the expression that is selected AS ROWTIME; null if there is none
 */
public record Clauses(SqlSelect select, List<SqlParserPos> filters, SqlParserPos rowtime) {

  /**
   * Returns the clauses of all queries in a statement. Call it before validation, which replaces names in conditions by
   * the expressions that they stand for.
   */
  public static Map<SqlSelect, Clauses> of(SqlNode statement) {
    Map<SqlSelect, Clauses> found = new IdentityHashMap<>();
    statement.accept(new SqlBasicVisitor<Void>() {
      @Override public Void visit(SqlCall call) {
        if (call instanceof SqlSelect select) {
          found.put(select, of(select));
        }
        return super.visit(call);
      }
    });
    return found;
  }

  public static Clauses of(SqlSelect select) {
    return new Clauses(select, Stream.of(select.getQualify(), select.getHaving(), select.getWhere())
        .map(condition -> condition == null ? SqlParserPos.ZERO : condition.getParserPosition()).toList(), rowtimeOf(select));
  }

  private static SqlParserPos rowtimeOf(SqlSelect select) {
    return select.getSelectList().stream().filter(item -> item.getKind() == SqlKind.AS
        && ((SqlCall) item).operand(1) instanceof SqlIdentifier id && id.getSimple().equalsIgnoreCase(CatalogObject.ROWTIME))
        .map(SqlNode::getParserPosition).findFirst().orElse(null);
  }

  /** Returns the origin of the select list: SELECT and its items. */
  public Origin selectOrigin() {
    SqlParserPos list = select.getSelectList().getParserPosition();
    // The query itself may begin with a parenthesis.
    SqlParserPos word = select.getOperandList().get(0).getParserPosition();
    boolean written = list.getLineNum() > 0 && word.getLineNum() > 0;
    return new Origin(null, select.getParserPosition(), List.of(written ? between(word, list) : list), calls(), rowtime, null, places());
  }

  /** Returns the origin of the grouping: GROUP BY, or the select list if all rows form one group. */
  public Origin groupOrigin() {
    SqlNodeList group = select.getGroup();
    if (group == null || group.isEmpty()) {
      return selectOrigin();
    }
    return new Origin(null, group.getParserPosition(), List.of(group.getParserPosition()), List.of(), null, null, places());
  }

  /** Returns the origin of SELECT DISTINCT. */
  public Origin distinctOrigin() {
    return Origin.of(groupOrigin().place(), selectOrigin().parts());
  }

  public Origin orderOrigin(SqlNode offset, SqlNode fetch) {
    SqlNodeList order = select.getOrderList();
    boolean sorts = order != null && !order.isEmpty();
    List<SqlNode> parts = new ArrayList<>(sorts && order.getParserPosition().getLineNum() > 0 ? List.of(order) : sorts ? order : List.of());
    Stream.of(offset, fetch).filter(Objects::nonNull).forEach(parts::add);
    SqlNode first = sorts ? order.get(0) : parts.isEmpty() ? select : parts.get(0);
    return Origin.of(first.getParserPosition(), parts.stream().map(SqlNode::getParserPosition).toList());
  }

  /** Returns the origins of the conditions, from the one that is applied last to the one that is applied first. */
  public List<Origin> conditionOrigins() {
    List<SqlNode> conditions = Arrays.asList(select.getQualify(), select.getHaving(), select.getWhere());
    return IntStream.range(0, filters.size()).filter(i -> conditions.get(i) != null)
        .mapToObj(i -> Origin.of(filters.get(i), filters.get(i))).toList();
  }

  public Origin whereOrigin() {
    return Origin.of(filters.get(2), filters.get(2));
  }

  /** Returns the origin of a join: the join keyword, the right input, and the condition. */
  public static Origin joinOrigin(SqlJoin join) {
    SqlParserPos word = join.getParserPosition();
    SqlNode last = join.getCondition() == null ? join.getRight() : join.getCondition();
    SqlParserPos all = between(join.isNatural() ? join.isNaturalNode().getParserPosition() : word, last.getParserPosition());
    return new Origin(null, word, List.of(all), List.of(), null, matchedTime(join), WindowPlaces.NONE);
  }

  private static SqlParserPos matchedTime(SqlJoin join) {
    if (join instanceof SqlAsofJoin asof) {
      return asof.getMatchCondition().getParserPosition();
    }
    SqlNode condition = join.getCondition();
    SqlNode last = condition instanceof SqlCall and && and.getKind() == SqlKind.AND ? and.operand(and.operandCount() - 1) : condition;
    return last instanceof SqlCall call && call.getOperator() == RowtimeOperators.AS_OF ? call.getParserPosition() : null;
  }

  /** Returns the position of the keyword between two queries. */
  public static SqlParserPos operator(SqlCall setOperation) {
    SqlParserPos left = setOperation.operand(0).getParserPosition();
    SqlParserPos right = setOperation.operand(1).getParserPosition();
    return left.getLineNum() == 0 || right.getLineNum() == 0 ? SqlParserPos.ZERO
        : new SqlParserPos(left.getEndLineNum(), left.getEndColumnNum() + 1, right.getLineNum(), right.getColumnNum() - 1);
  }

  private static SqlParserPos between(SqlParserPos begin, SqlParserPos end) {
    return new SqlParserPos(begin.getLineNum(), begin.getColumnNum(), end.getEndLineNum(), end.getEndColumnNum());
  }

  /** Returns the positions of the query's own analytic calls, and of the windows that they name. */
  private List<SqlParserPos> calls() {
    List<SqlParserPos> found = new ArrayList<>(overs().map(SqlNode::getParserPosition).toList());
    if (!found.isEmpty() && select.getWindowList() != null && !select.getWindowList().isEmpty()) {
      found.add(select.getWindowList().getParserPosition());
    }
    return found.stream().distinct().toList();
  }

  /** Returns the query's own analytic calls. */
  private Stream<SqlCall> overs() {
    List<SqlCall> found = new ArrayList<>();
    Stream.of(select.getSelectList(), select.getQualify(), select.getWhere(), select.getOrderList()).filter(Objects::nonNull)
        .forEach(clause -> clause.accept(new SqlBasicVisitor<Void>() {
          @Override public Void visit(SqlCall call) {
            if (call.getKind() == SqlKind.OVER && !(call.operand(0) instanceof SqlIdentifier)) {
              found.add(call);
            }
            return call.isA(SqlKind.QUERY) ? null : super.visit(call);
          }
        }));
    return found.stream();
  }

  private WindowPlaces places() {
    return WindowPlaces.of(windows(), select.getGroup() == null ? List.of() : select.getGroup().getList());
  }

  /** Returns the windows that are written in these calls, and those of the clause WINDOW. */
  private List<SqlWindow> windows() {
    Stream<SqlNode> named = select.getWindowList() == null ? Stream.empty() : select.getWindowList().stream();
    return Stream.concat(overs().map(call -> call.<SqlNode>operand(1)), named).filter(SqlWindow.class::isInstance).map(SqlWindow.class::cast).toList();
  }
}
