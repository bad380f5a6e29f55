package io.rowtime.validate.rules;

import io.rowtime.aggregate.AggregateFunction;
import io.rowtime.diagnostic.Diagnostic;
import io.rowtime.validate.desugar.GroupedWindows;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlSelect;
import org.apache.calcite.sql.SqlUtil;
import org.apache.calcite.sql.SqlWindow;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.util.SqlBasicVisitor;
import org.apache.calcite.sql.validate.SqlValidatorUtil;
import org.apache.calcite.util.Litmus;
import org.apache.calcite.util.Util;

/**
 * Warns of conditions that look as if they meant a whole partition. {@code MAX(x) OVER (PARTITION BY p)} over rows with
 * a ROWTIME is ordered by it, so it reads the rows up to the current one; in standard SQL it reads all of them.
 */
public final class RunningValues {
  /** An analytic call; {@code window} is the position of its window, null if that certainly has an order. */
  private record Call(String function, SqlNode argument, SqlParserPos place, SqlParserPos window) {}

  private final Map<SqlParserPos, Call> found = new LinkedHashMap<>();

  private RunningValues() {}

  /** Returns the conditions of a query, before it is rewritten. */
  public static RunningValues of(SqlNode query) {
    RunningValues values = new RunningValues();
    query.accept(new SqlBasicVisitor<Void>() {
      @Override public Void visit(SqlCall call) {
        if (call instanceof SqlSelect select) {
          values.select(select);
        }
        return super.visit(call);
      }
    });
    return values;
  }

  /** @param ordered the positions of the windows without ORDER BY that are ordered by ROWTIME */
  public List<Diagnostic> warnings(Set<SqlParserPos> ordered) {
    return found.values().stream().filter(call -> call.window == null || ordered.contains(call.window))
        .map(call -> Diagnostic.warning("RT0251", call.place,
            call.function + " OVER covers the rows of the partition up to the current one, not all of them",
            "for one value of the whole partition add ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING; on a stream, PARTITION BY "
                + "must then contain a function of ROWTIME. To keep the running value, add ORDER BY ROWTIME"))
        .toList();
  }

  private void select(SqlSelect select) {
    for (SqlNode clause : Arrays.asList(select.getWhere(), select.getQualify())) {
      calls(clause, select, call -> true);
    }
    for (SqlNode item : select.getSelectList()) {
      findComparisons(item, select);
    }
    if (select.getWhere() != null && select.getFrom() != null) {
      comparedBelow(select.getWhere(), select.getFrom());
    }
  }

  /** Finds analytic calls that are compared with their own argument. */
  private void findComparisons(SqlNode expression, SqlSelect select) {
    comparisons(expression, (left, right) -> {
      calls(left, select, call -> isSame(call.argument, right));
      calls(right, select, call -> isSame(call.argument, left));
    });
  }

  /**
   * Does the same if the call is a column of a sub-query, {@code SELECT x, MAX(x) OVER (…) AS m}, with {@code x = m}
   * above it.
   */
  private void comparedBelow(SqlNode condition, SqlNode from) {
    SqlNode source = from.getKind() == SqlKind.AS ? ((SqlCall) from).operand(0) : from;
    if (!(source instanceof SqlSelect below)) {
      return;
    }
    Map<String, SqlNode> columns = new LinkedHashMap<>();
    for (SqlNode item : below.getSelectList()) {
      String name = SqlValidatorUtil.alias(item);
      if (name != null) {
        columns.put(name.toUpperCase(Locale.ROOT), SqlUtil.stripAs(item));
      }
    }
    comparisons(condition, (left, right) -> {
      SqlNode first = columns.get(name(left));
      SqlNode second = columns.get(name(right));
      if (first != null && second != null) {
        calls(first, below, call -> isSame(call.argument, second));
        calls(second, below, call -> isSame(call.argument, first));
      }
    });
  }

  private interface Pair {
    void accept(SqlNode left, SqlNode right);
  }

  private static void comparisons(SqlNode expression, Pair pair) {
    expression.accept(new SqlBasicVisitor<Void>() {
      @Override public Void visit(SqlCall call) {
        if (call instanceof SqlSelect) {
          return null;
        }
        if (SqlKind.COMPARISON.contains(call.getKind()) && call.operandCount() == 2) {
          pair.accept(call.operand(0), call.operand(1));
        }
        return super.visit(call);
      }
    });
  }

  private interface Condition {
    boolean test(Call call);
  }

  /** Records the calls in an expression of {@code select} whose window has neither an order nor a frame. */
  private void calls(SqlNode expression, SqlSelect select, Condition condition) {
    if (expression == null) {
      return;
    }
    expression.accept(new SqlBasicVisitor<Void>() {
      @Override public Void visit(SqlCall call) {
        if (call instanceof SqlSelect) {
          return null;
        }
        Call over = call.getKind() == SqlKind.OVER ? analytic(call, select) : null;
        if (over != null && condition.test(over)) {
          found.put(over.place, over);
        }
        return super.visit(call);
      }
    });
  }

  private static Call analytic(SqlCall over, SqlSelect select) {
    SqlNode function = over.operand(0);
    while (function.getKind() == SqlKind.FILTER || function.getKind() == SqlKind.IGNORE_NULLS
        || function.getKind() == SqlKind.RESPECT_NULLS) {
      function = ((SqlCall) function).operand(0);
    }
    SqlWindow window = window(over.operand(1), select);
    if (!(function instanceof SqlCall call) || window == null || window.getRefName() != null || !window.getOrderList().isEmpty()
        || window.getLowerBound() != null || window.getPartitionList().isEmpty()) {
      return null;
    }
    String name = call.getOperator().getName().toUpperCase(Locale.ROOT);
    return !AggregateFunction.isRunning(name) ? null : new Call(name, call.operandCount() == 0 ? null : call.operand(0),
        over.getParserPosition(), GroupedWindows.orders(select) ? null : window.getParserPosition());
  }

  private static SqlWindow window(SqlNode window, SqlSelect select) {
    if (window instanceof SqlWindow inline) {
      return inline;
    }
    return select.getWindowList().stream().map(SqlWindow.class::cast)
        .filter(named -> Objects.requireNonNull(named.getDeclName()).getSimple().equalsIgnoreCase(((SqlIdentifier) window).getSimple()))
        .findFirst().orElse(null);
  }

  /** Returns whether columns have the same name, with or without that of their table. */
  private static boolean isSame(SqlNode a, SqlNode b) {
    return a != null && (name(a) != null ? name(a).equals(name(b)) : a.equalsDeep(b, Litmus.IGNORE));
  }

  private static String name(SqlNode node) {
    return node instanceof SqlIdentifier id && !id.isStar() ? Util.last(id.names).toUpperCase(Locale.ROOT) : null;
  }
}
