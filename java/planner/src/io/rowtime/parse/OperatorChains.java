package io.rowtime.parse;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlOperator;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.parser.SqlParserUtil;
import org.apache.calcite.sql.parser.SqlParserUtil.ToTreeListItem;

/**
 * Builds the tree of operands and operators that follow one another in the text. Calcite's tree is as deep as the chain
 * is long, and takes time by its square. A long chain of AND, OR or UNION, whose order does not matter, becomes a
 * balanced tree here; one of other operators is refused if its tree would be far too deep.
 */
public final class OperatorChains {
  private static final Set<SqlOperator> ASSOCIATIVE = Set.of(SqlStdOperatorTable.AND, SqlStdOperatorTable.OR,
      SqlStdOperatorTable.UNION, SqlStdOperatorTable.UNION_ALL);
  /** Of a shorter list, the tree is Calcite's. */
  private static final int LONG_LIST = 128;
  /** With so many operators, the tree is deeper than {@link Nesting} allows, whatever their precedence is. */
  private static final int MAX_OPERATORS = 10 * Nesting.MAX_CALLS;

  private OperatorChains() {}

  /** Returns whether the calls of an operator within one another are one level for {@link Nesting}. */
  static boolean isAssociative(SqlOperator operator) {
    return ASSOCIATIVE.contains(operator);
  }

  /** Returns the tree of a list of {@code SqlNode}s and {@code ToTreeListItem}s. */
  public static SqlNode toTree(List<Object> list) {
    if (list.size() < LONG_LIST) {
      return SqlParserUtil.toTree(list);
    }
    List<Integer> places = loosest(list);
    if (!places.isEmpty()) {
      return chain(list, places);
    }
    List<SqlParserPos> operators = list.stream().filter(ToTreeListItem.class::isInstance).map(item -> ((ToTreeListItem) item).getPos()).toList();
    if (operators.size() > MAX_OPERATORS) {
      throw new TooDeepException(operators.get(Nesting.MAX_CALLS));
    }
    return SqlParserUtil.toTree(list);
  }

  /** Returns the places of the operator that binds least, if it is associative, and no other one binds as little. */
  private static List<Integer> loosest(List<Object> list) {
    List<Integer> places = new ArrayList<>();
    SqlOperator loosest = null;
    int least = Integer.MAX_VALUE;
    int between = 0;
    for (int i = 0; i < list.size(); i++) {
      if (!(list.get(i) instanceof ToTreeListItem item)) {
        continue;
      }
      SqlOperator operator = item.getOperator();
      if (operator.getKind() == SqlKind.BETWEEN) {
        between++;
      } else if (between > 0 && operator == SqlStdOperatorTable.AND) {
        between--;
      } else if (between == 0 && operator == loosest) {
        places.add(i);
      } else if (between == 0) {
        // Else it is part of the lower bound of BETWEEN, also an OR.
        int precedence = Math.min(operator.getLeftPrec(), operator.getRightPrec());
        if (precedence < least) {
          least = precedence;
          loosest = operator;
          places = new ArrayList<>(List.of(i));
        } else if (precedence == least) {
          loosest = null;
        }
      }
    }
    return loosest != null && isAssociative(loosest) ? places : List.of();
  }

  private static SqlNode chain(List<Object> list, List<Integer> places) {
    List<SqlNode> operands = new ArrayList<>();
    int start = 0;
    for (int place : places) {
      operands.add(toTree(new ArrayList<>(list.subList(start, place))));
      start = place + 1;
    }
    SqlNode last = toTree(new ArrayList<>(list.subList(start, list.size())));
    List<ToTreeListItem> operators = places.stream().map(place -> (ToTreeListItem) list.get(place)).toList();
    // The last query of a WITH RECURSIVE is its step, all before it its beginning.
    return call(operators.get(operators.size() - 1), balanced(operands, operators, 0, operands.size()), last);
  }

  private static SqlNode balanced(List<SqlNode> operands, List<ToTreeListItem> operators, int from, int to) {
    if (to - from == 1) {
      return operands.get(from);
    }
    int middle = (from + to) / 2;
    return call(operators.get(middle - 1), balanced(operands, operators, from, middle), balanced(operands, operators, middle, to));
  }

  private static SqlNode call(ToTreeListItem operator, SqlNode left, SqlNode right) {
    List<SqlNode> operands = List.of(left, right);
    return operator.getOperator().createCall(operator.getPos().plusAll(operands), operands);
  }
}
