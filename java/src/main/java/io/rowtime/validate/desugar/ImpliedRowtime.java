package io.rowtime.validate.desugar;

import io.rowtime.catalog.CatalogObject;
import io.rowtime.catalog.CatalogSnapshot;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
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
import org.apache.calcite.sql.SqlWithItem;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.util.SqlBasicVisitor;

/**
 * ROWTIME of a sub-query that does not list it (seed 002: every streaming query has an associated ROWTIME).
 *
 * <p>The sub-query gets the column only where the query around it asks for it, by name or by a window without ORDER BY,
 * which orders by ROWTIME.
 */
final class ImpliedRowtime {
  private final CatalogSnapshot catalog;
  private final Map<String, SqlWithItem> common = new HashMap<>();

  /** @param statement what the queries to be completed are in, with the names that its WITH clauses give */
  ImpliedRowtime(CatalogSnapshot catalog, SqlNode statement) {
    this.catalog = catalog;
    statement.accept(new SqlBasicVisitor<Void>() {
      @Override public Void visit(SqlCall call) {
        if (call instanceof SqlWithItem item) {
          common.put(item.name.getSimple(), item);
        }
        return super.visit(call);
      }
    });
  }

  /** Adds the column to the sub-queries in the FROM clause of {@code outer} that lack it and need it. */
  void complete(SqlSelect outer) {
    Set<String> asked = outer.getFrom() == null ? Set.of() : asked(outer);
    if (!asked.isEmpty()) {
      from(outer.getFrom(), asked);
    }
  }

  /** @param asked the relations whose ROWTIME is named; with '' where one is named without its relation */
  private void from(SqlNode from, Set<String> asked) {
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

  private void add(SqlSelect inner) {
    SqlNode rowtime = hasRowtime(inner) ? null : implied(inner);
    if (rowtime == null) {
      return;
    }
    SqlNode item = Desugaring.isRowtime(rowtime) ? rowtime
        : SqlStdOperatorTable.AS.createCall(rowtime.getParserPosition(), rowtime,
            new SqlIdentifier(CatalogObject.ROWTIME, rowtime.getParserPosition()));
    SqlNodeList items = new SqlNodeList(inner.getSelectList(), inner.getSelectList().getParserPosition());
    items.add(item);
    inner.setSelectList(items);
    complete(inner);
  }

  /** What the ROWTIME of a query is that does not list it; null if it has none. */
  private SqlNode implied(SqlSelect query) {
    if (query.getFrom() == null || query.isKeywordPresent(SqlSelectKeyword.DISTINCT) || query.getHaving() != null) {
      return null;
    }
    if (query.getGroup() != null) {
      return query.getGroup().stream().filter(ImpliedRowtime::mentionsRowtime).findFirst().orElse(null);
    }
    return derivesFromRowtime(query.getFrom()) ? new SqlIdentifier(CatalogObject.ROWTIME, query.getParserPosition()) : null;
  }

  /** Only a plain FROM of one thing can be said to pass its ROWTIME through; of a join the name would be ambiguous. */
  boolean derivesFromRowtime(SqlNode from) {
    return switch (from.getKind()) {
      case AS, OVER -> derivesFromRowtime(((SqlCall) from).operand(0));
      case IDENTIFIER -> hasRowtime(String.join(".", ((SqlIdentifier) from).names));
      case SELECT -> lists((SqlSelect) from) || implied((SqlSelect) from) != null;
      case COLLECTION_TABLE -> true;
      default -> false;
    };
  }

  private boolean hasRowtime(String relation) {
    SqlWithItem item = common.get(relation);
    if (item != null) {
      return item.columnList == null ? !(item.query instanceof SqlSelect select) || lists(select)
          : item.columnList.stream().anyMatch(Desugaring::isRowtime);
    }
    CatalogObject object = catalog.find(relation);
    return object == null || object.columns().stream().anyMatch(c -> c.name().equals(CatalogObject.ROWTIME));
  }

  /** Whether the list of a query has ROWTIME, or a star that stands for it. */
  private boolean lists(SqlSelect query) {
    boolean star = query.getSelectList().stream().anyMatch(item -> item instanceof SqlIdentifier id && id.isStar());
    return hasRowtime(query) && (!star || query.getFrom().getKind() == SqlKind.JOIN || derivesFromRowtime(query.getFrom()));
  }

  private static boolean hasRowtime(SqlSelect select) {
    return select.getSelectList().stream().anyMatch(item ->
        item instanceof SqlIdentifier id && id.isStar() || Desugaring.isRowtime(item)
            || item.getKind() == SqlKind.AS && Desugaring.isRowtime(((SqlCall) item).operand(1)));
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
   * Adds to {@code found} the relations whose ROWTIME an expression names; '' if it names none, or has a window that is
   * ordered by ROWTIME for want of an ORDER BY.
   */
  private static void asked(SqlNode node, Set<String> found) {
    node.accept(new SqlBasicVisitor<Void>() {
      @Override public Void visit(SqlIdentifier id) {
        if (Desugaring.isRowtime(id)) {
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
