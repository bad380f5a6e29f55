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
 * Adds ROWTIME to sub-queries that do not select it, because every streaming query has a ROWTIME.
 *
 * <p>A sub-query gets the column only if the outer query uses it, by name or by a window without ORDER BY, which is
 * ordered by ROWTIME.
 */
final class ImpliedRowtime {
  private final CatalogSnapshot catalog;
  private final Map<String, SqlWithItem> common = new HashMap<>();

  /** @param statement the statement with the queries, and the names that its WITH clauses define */
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
    if (outer.getFrom() != null) {
      from(outer.getFrom(), rowtimeReferences(outer));
    }
  }

  /** @param asked the relations whose ROWTIME is named; '' stands for ROWTIME without a relation */
  private void from(SqlNode from, Set<String> asked) {
    switch (from.getKind()) {
      case AS -> {
        SqlCall as = (SqlCall) from;
        String alias = ((SqlIdentifier) as.operand(1)).getSimple();
        // A column list names every column, so it could not have one more.
        if (as.operandCount() == 2 && (as.operand(0).getKind() == SqlKind.OVER
            || asked.stream().anyMatch(name -> name.isEmpty() || name.equalsIgnoreCase(alias)))) {
          from(as.operand(0), Set.of(""));
        }
      }
      case JOIN -> {
        from(((SqlJoin) from).getLeft(), asked);
        from(((SqlJoin) from).getRight(), asked);
      }
      // A window on it goes by its ROWTIME.
      case OVER -> from(((SqlCall) from).operand(0), Set.of(""));
      case SELECT -> {
        if (asked.contains("")) {
          add((SqlSelect) from);
        }
      }
      default -> { }
    }
  }

  private void add(SqlSelect inner) {
    SqlNode rowtime = hasRowtime(inner) ? null : impliedRowtime(inner);
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

  /** Returns the ROWTIME of a query that does not select it; null if it has none. */
  private SqlNode impliedRowtime(SqlSelect query) {
    if (query.getFrom() == null || query.isKeywordPresent(SqlSelectKeyword.DISTINCT) || query.getHaving() != null) {
      return null;
    }
    if (query.getGroup() != null) {
      return query.getGroup().stream().filter(ImpliedRowtime::mentionsRowtime).findFirst().orElse(null);
    }
    return derivesFromRowtime(query.getFrom()) ? new SqlIdentifier(CatalogObject.ROWTIME, query.getParserPosition()) : null;
  }

  /** Only a FROM with a single relation passes its ROWTIME through; in a join the name would be ambiguous. */
  boolean derivesFromRowtime(SqlNode from) {
    return switch (from.getKind()) {
      case AS, OVER -> derivesFromRowtime(((SqlCall) from).operand(0));
      case IDENTIFIER -> hasRowtime(String.join(".", ((SqlIdentifier) from).names));
      case SELECT -> lists((SqlSelect) from) || impliedRowtime((SqlSelect) from) != null;
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

  /** Returns whether the SELECT list of a query contains ROWTIME, or a star that includes it. */
  private boolean lists(SqlSelect query) {
    boolean star = query.getSelectList().stream().anyMatch(item -> item instanceof SqlIdentifier id && id.isStar());
    return hasRowtime(query) && (!star || query.getFrom().getKind() == SqlKind.JOIN || derivesFromRowtime(query.getFrom()));
  }

  private static boolean hasRowtime(SqlSelect select) {
    return select.getSelectList().stream().anyMatch(item ->
        item instanceof SqlIdentifier id && id.isStar() || Desugaring.isRowtime(item)
            || item.getKind() == SqlKind.AS && Desugaring.isRowtime(((SqlCall) item).operand(1)));
  }

  private static Set<String> rowtimeReferences(SqlSelect select) {
    Set<String> found = new HashSet<>();
    Stream.of(select.getSelectList(), select.getWhere(), select.getGroup(), select.getHaving(), select.getWindowList(),
        select.getQualify(), select.getOrderList()).filter(Objects::nonNull).forEach(clause -> rowtimeReferences(clause, found));
    return found;
  }

  private static boolean mentionsRowtime(SqlNode node) {
    Set<String> found = new HashSet<>();
    rowtimeReferences(node, found);
    return !found.isEmpty();
  }

  /**
   * Adds the relations whose ROWTIME an expression names to {@code found}; '' for ROWTIME without a relation, and for a
   * window without ORDER BY, which is ordered by ROWTIME.
   */
  private static void rowtimeReferences(SqlNode node, Set<String> found) {
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
