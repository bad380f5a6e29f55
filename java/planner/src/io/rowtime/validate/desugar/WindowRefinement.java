package io.rowtime.validate.desugar;

import io.rowtime.diagnostic.DiagnosticException;
import io.rowtime.validate.AstRewriter;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlLiteral;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlSelect;
import org.apache.calcite.sql.SqlWindow;

/**
 * Expands windows that refine a named one: {@code OVER (w RANGE …)} and {@code OVER w (RANGE …)}.
 *
 * <p>Calcite resolves them too, but drops the frame of the refinement if the named window has none.
 */
final class WindowRefinement {
  private final Map<String, SqlWindow> named = new HashMap<>();

  private WindowRefinement() {}

  /** Expands the refinements in {@code select}, including those in its WINDOW clause. */
  static void resolve(SqlSelect select) {
    if (select.getWindowList().isEmpty()) {
      return;
    }
    WindowRefinement windows = new WindowRefinement();
    for (SqlNode node : select.getWindowList()) {
      SqlWindow window = (SqlWindow) node;
      windows.named.put(key(window.getDeclName()), window);
    }
    for (int i = 0; i < select.getWindowList().size(); i++) {
      select.getWindowList().set(i, windows.complete((SqlWindow) select.getWindowList().get(i), new HashSet<>()));
    }
    FromWindows.of(select.getFrom()).forEach(windows::over);
    // Without the rest of FROM, because the windows of a sub-query are its own.
    for (SqlNode clause : Arrays.asList(select.getSelectList(), select.getWhere(), select.getHaving(), select.getQualify(),
        select.getOrderList())) {
      AstRewriter.rewrite(clause, windows::over);
    }
  }

  private SqlNode over(SqlNode node) {
    if (node.getKind() == SqlKind.OVER && ((SqlCall) node).operand(1) instanceof SqlWindow window) {
      ((SqlCall) node).setOperand(1, complete(window, new HashSet<>()));
    }
    return node;
  }

  private SqlWindow complete(SqlWindow window, Set<String> seen) {
    SqlIdentifier name = window.getRefName();
    SqlWindow found = name == null ? null : named.get(key(name));
    if (found == null) {
      // The window is complete without a reference; the validator reports a reference to an unknown window.
      return window;
    }
    if (!seen.add(key(name))) {
      throw new DiagnosticException("RT0116", name.getParserPosition(), "Window '" + name.getSimple() + "' is defined in terms of itself",
          "let it refine another window, or none");
    }
    SqlWindow base = complete(found, seen);
    if (!window.getPartitionList().isEmpty()) {
      throw new DiagnosticException("RT0116", window.getPartitionList().getParserPosition(),
          "PARTITION BY is not allowed when a named window is refined", "put it into the definition of '" + name.getSimple() + "'");
    }
    if (base.getLowerBound() != null || base.getUpperBound() != null) {
      throw new DiagnosticException("RT0116", name.getParserPosition(), "Window '" + name.getSimple() + "' has a frame, and cannot be refined",
          "write OVER " + name.getSimple() + " to use it as it is, or take the frame out of its definition");
    }
    if (!window.getOrderList().isEmpty() && !base.getOrderList().isEmpty()) {
      throw new DiagnosticException("RT0116", window.getOrderList().getParserPosition(),
          "ORDER BY is in the definition of '" + name.getSimple() + "' already", "leave one of them out");
    }
    return new SqlWindow(window.getParserPosition(), window.getDeclName(), null, base.getPartitionList(),
        either(window.getOrderList(), base.getOrderList()), (SqlLiteral) window.getOperandList().get(4),
        window.getLowerBound(), window.getUpperBound(), (SqlLiteral) window.getOperandList().get(7),
        window.getExclude());
  }

  private static SqlNodeList either(SqlNodeList first, SqlNodeList second) {
    return first.isEmpty() ? second : first;
  }

  private static String key(SqlIdentifier id) {
    return id.getSimple().toUpperCase(Locale.ROOT);
  }
}
