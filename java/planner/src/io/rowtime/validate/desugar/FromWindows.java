package io.rowtime.validate.desugar;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlJoin;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlLiteral;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlSelect;
import org.apache.calcite.sql.SqlWindow;
import org.apache.calcite.sql.util.SqlBasicVisitor;
import org.apache.calcite.util.Util;

/**
 * Replaces names of windows in FROM by the windows of the WINDOW clause. In FROM, a window has the order of the item's rows and
 * needs no ORDER BY; as a window of the whole query it would need one.
 */
final class FromWindows {
  private FromWindows() {}

  static void resolve(SqlSelect select) {
    List<SqlNode> windows = new ArrayList<>(select.getWindowList());
    for (SqlCall item : of(select.getFrom())) {
      SqlWindow window = item.operand(1) instanceof SqlIdentifier name ? find(select.getWindowList(), name) : null;
      if (window != null) {
        item.setOperand(1, withoutName(window));
        if (window.getOrderList().stream().allMatch(Desugaring::isRowtime) && !isCalled(select, window.getDeclName())) {
          windows.remove(window);
        }
      }
    }
    select.setOperand(6, new SqlNodeList(windows, select.getWindowList().getParserPosition()));
  }

  /** Returns the items that have a window, without those of sub-queries. */
  static List<SqlCall> of(SqlNode from) {
    List<SqlCall> found = new ArrayList<>();
    collect(from, found);
    return found;
  }

  /** Returns whether an OVER belongs to an item of FROM, and not to an analytic call. */
  static boolean isItem(SqlCall over) {
    SqlNode windowed = over.operand(0);
    return windowed.isA(SqlKind.QUERY) || windowed.getKind() == SqlKind.COLLECTION_TABLE;
  }

  private static void collect(SqlNode from, List<SqlCall> found) {
    if (from instanceof SqlJoin join) {
      collect(join.getLeft(), found);
      collect(join.getRight(), found);
    } else if (from != null && from.getKind() == SqlKind.AS) {
      collect(((SqlCall) from).operand(0), found);
    } else if (from != null && from.getKind() == SqlKind.OVER) {
      found.add((SqlCall) from);
    }
  }

  private static SqlWindow find(SqlNodeList windows, SqlIdentifier name) {
    return windows.stream().map(SqlWindow.class::cast).filter(window -> isName(window.getDeclName(), name)).findFirst().orElse(null);
  }

  private static SqlWindow withoutName(SqlWindow window) {
    List<SqlNode> operands = window.getOperandList();
    return new SqlWindow(window.getParserPosition(), null, window.getRefName(), window.getPartitionList(),
        new SqlNodeList(window.getOrderList(), window.getOrderList().getParserPosition()),
        (SqlLiteral) operands.get(4), window.getLowerBound(), window.getUpperBound(), (SqlLiteral) operands.get(7), window.getExclude());
  }

  /** Returns whether an analytic call uses the window. */
  private static boolean isCalled(SqlSelect select, SqlIdentifier name) {
    try {
      Arrays.asList(select.getSelectList(), select.getWhere(), select.getHaving(), select.getQualify(), select.getOrderList()).stream()
          .filter(Objects::nonNull).forEach(clause -> clause.accept(new SqlBasicVisitor<Void>() {
            @Override public Void visit(SqlCall call) {
              if (call.getKind() == SqlKind.OVER && call.operand(1) instanceof SqlIdentifier id && isName(name, id)) {
                throw Util.FoundOne.NULL;
              }
              return super.visit(call);
            }
          }));
      return false;
    } catch (Util.FoundOne found) {
      return true;
    }
  }

  private static boolean isName(SqlIdentifier declared, SqlIdentifier name) {
    return declared.getSimple().equalsIgnoreCase(Util.last(name.names));
  }
}
