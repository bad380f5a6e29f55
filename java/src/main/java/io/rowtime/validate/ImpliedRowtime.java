package io.rowtime.validate;

import io.rowtime.catalog.CatalogObject;
import java.util.HashSet;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlJoin;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlSelect;
import org.apache.calcite.sql.SqlSelectKeyword;
import org.apache.calcite.sql.SqlWindow;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.util.SqlBasicVisitor;

/**
 * ROWTIME of a sub-query that does not list it (seed 002: every streaming query has an associated ROWTIME).
 *
 * <p>The sub-query gets the column only where the query around it asks for it, by name or by a window without ORDER BY,
 * which orders by ROWTIME.
 */
final class ImpliedRowtime {
  private ImpliedRowtime() {}

  /** Adds the column to the sub-queries in the FROM clause of {@code outer} that lack it and need it. */
  static void complete(SqlSelect outer) {
    Set<String> asked = outer.getFrom() == null ? Set.of() : asked(outer);
    if (!asked.isEmpty()) {
      from(outer.getFrom(), asked);
    }
  }

  /** @param asked the relations whose ROWTIME is named; with '' where one is named without its relation */
  private static void from(SqlNode from, Set<String> asked) {
    switch (from.getKind()) {
      case AS -> {
        SqlCall as = (SqlCall) from;
        String alias = ((SqlIdentifier) as.operand(1)).getSimple();
        // A column list names every column: one more would not fit it.
        if (as.operandCount() == 2 && asked.stream().anyMatch(name -> name.isEmpty() || name.equalsIgnoreCase(alias))) {
          from(as.operand(0), Set.of(""));
        }
      }
      case JOIN -> {
        from(((SqlJoin) from).getLeft(), asked);
        from(((SqlJoin) from).getRight(), asked);
      }
      case SELECT -> {
        if (asked.contains("")) {
          add((SqlSelect) from);
        }
      }
      default -> { }
    }
  }

  private static void add(SqlSelect inner) {
    if (inner.getFrom() == null || hasRowtime(inner) || inner.isKeywordPresent(SqlSelectKeyword.DISTINCT)
        || inner.getHaving() != null || inner.getFrom().getKind() == SqlKind.VALUES) {
      return;
    }
    SqlNode rowtime = new SqlIdentifier(CatalogObject.ROWTIME, inner.getParserPosition());
    if (inner.getGroup() != null) {
      rowtime = inner.getGroup().stream().filter(ImpliedRowtime::mentionsRowtime).findFirst().orElse(null);
      if (rowtime == null) {
        return;
      }
    } else if (!derivesFromRowtime(inner.getFrom())) {
      return;
    }
    SqlNode item = Sugar.isRowtime(rowtime) ? rowtime
        : SqlStdOperatorTable.AS.createCall(rowtime.getParserPosition(), rowtime,
            new SqlIdentifier(CatalogObject.ROWTIME, rowtime.getParserPosition()));
    SqlNodeList items = new SqlNodeList(inner.getSelectList(), inner.getSelectList().getParserPosition());
    items.add(item);
    inner.setSelectList(items);
    complete(inner);
  }

  /** Only a plain FROM of one thing can be said to pass its ROWTIME through; of a join the name would be ambiguous. */
  private static boolean derivesFromRowtime(SqlNode from) {
    return switch (from.getKind()) {
      case AS, OVER -> derivesFromRowtime(((SqlCall) from).operand(0));
      case IDENTIFIER, SELECT, COLLECTION_TABLE -> true;
      default -> false;
    };
  }

  private static boolean hasRowtime(SqlSelect select) {
    return select.getSelectList().stream().anyMatch(item ->
        item instanceof SqlIdentifier id && id.isStar() || Sugar.isRowtime(item)
            || item.getKind() == SqlKind.AS && Sugar.isRowtime(((SqlCall) item).operand(1)));
  }

  private static Set<String> asked(SqlSelect select) {
    Set<String> found = new HashSet<>();
    Stream.of(select.getSelectList(), select.getWhere(), select.getGroup(), select.getHaving(), select.getWindowList(),
        select.getQualify(), select.getOrderList()).filter(Objects::nonNull).forEach(clause -> asked(clause, found));
    return found;
  }

  private static boolean mentionsRowtime(SqlNode node) {
    Set<String> found = new HashSet<>();
    asked(node, found);
    return !found.isEmpty();
  }

  /**
   * Adds to {@code found} the relations whose ROWTIME an expression names; '' where it names none, or has a window that is
   * ordered by ROWTIME for want of an ORDER BY.
   */
  private static void asked(SqlNode node, Set<String> found) {
    node.accept(new SqlBasicVisitor<Void>() {
      @Override public Void visit(SqlIdentifier id) {
        if (Sugar.isRowtime(id)) {
          found.add(id.isSimple() ? "" : id.names.get(id.names.size() - 2));
        }
        return null;
      }

      @Override public Void visit(SqlCall call) {
        if (call instanceof SqlSelect) {
          return null;
        }
        if (call instanceof SqlWindow window && window.getOrderList().isEmpty()) {
          found.add("");
        }
        return super.visit(call);
      }
    });
  }
}
