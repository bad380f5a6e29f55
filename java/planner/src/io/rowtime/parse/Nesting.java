package io.rowtime.parse;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.function.Predicate;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlOperator;

/**
 * The limits of nesting. The parser and all that follows descend recursively, and some of it takes time by the square of
 * the depth, so what is deeper is refused before: parentheses unparsed, calls and queries unplanned.
 */
final class Nesting {
  /** The number of calls, operators and queries in which a call may be. Those of one chain of AND, OR or UNION count once. */
  static final int MAX_CALLS = 400;

  /** The number of parentheses, brackets and CASEs in which a token may be. */
  static final int MAX_PARENTHESES = 1_000;

  private record Place(SqlCall call, int depth) {}

  private Nesting() {}

  /** Throws a {@link TooDeepException} if parentheses are nested too deeply. */
  static void checkText(String sql) {
    if (mayBeTooDeep(sql)) {
      Tokens tokens = new Tokens(sql);
      if (tokens.depth() > MAX_PARENTHESES) {
        throw new TooDeepException(tokens.pos(tokens.deepest()));
      }
    }
  }

  /** Throws a {@link TooDeepException} if calls are nested too deeply. */
  static void checkTree(SqlNode tree) {
    Place found = walk(tree, place -> place.depth > MAX_CALLS);
    if (found != null && found.depth > MAX_CALLS) {
      throw new TooDeepException(found.call.getParserPosition());
    }
  }

  /** Returns the call that is in the most others, the first one of them. */
  static SqlNode deepest(SqlNode tree) {
    Place found = walk(tree, place -> false);
    return found == null ? tree : found.call;
  }

  /** Reading the tokens takes as long as parsing a simple statement. */
  private static boolean mayBeTooDeep(String sql) {
    int count = 0;
    for (int i = 0; i < sql.length() && count <= MAX_PARENTHESES; i++) {
      char c = sql.charAt(i);
      if (c == '(' || c == '[' || (c == 'c' || c == 'C') && sql.regionMatches(true, i, "CASE", 0, 4)) {
        count++;
      }
    }
    return count > MAX_PARENTHESES;
  }

  /** Returns the first call with that property, in the order of the text; else the deepest. */
  private static Place walk(SqlNode tree, Predicate<Place> wanted) {
    Place deepest = null;
    Deque<SqlNode> nodes = new ArrayDeque<>();
    Deque<Place> parents = new ArrayDeque<>();
    Place none = new Place(null, 0);
    nodes.push(tree);
    parents.push(none);
    while (!nodes.isEmpty()) {
      SqlNode node = nodes.pop();
      Place place = parents.pop();
      if (node instanceof SqlCall call) {
        place = new Place(call, place.depth + (continues(call, place.call) ? 0 : 1));
        if (wanted.test(place)) {
          return place;
        }
        if (deepest == null || place.depth > deepest.depth) {
          deepest = place;
        }
      }
      List<? extends SqlNode> below = node instanceof SqlCall call ? call.getOperandList() : node instanceof SqlNodeList list ? list : List.of();
      for (int i = below.size() - 1; i >= 0; i--) {
        if (below.get(i) instanceof SqlCall || below.get(i) instanceof SqlNodeList) {
          nodes.push(below.get(i));
          parents.push(place);
        }
      }
    }
    return deepest;
  }

  private static boolean continues(SqlCall call, SqlCall parent) {
    SqlOperator operator = call.getOperator();
    return parent != null && parent.getOperator() == operator && OperatorChains.isAssociative(operator);
  }
}
