package io.rowtime.validate.desugar;

import io.rowtime.catalog.CatalogObject;
import io.rowtime.catalog.CatalogSnapshot;
import io.rowtime.diagnostic.Diagnostic;
import io.rowtime.diagnostic.DiagnosticException;
import io.rowtime.validate.function.RowtimeOperators;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;
import org.apache.calcite.sql.JoinConditionType;
import org.apache.calcite.sql.JoinType;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlJoin;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlOperator;
import org.apache.calcite.sql.SqlSelect;
import org.apache.calcite.sql.SqlSnapshot;
import org.apache.calcite.sql.SqlSyntax;
import org.apache.calcite.sql.dialect.AnsiSqlDialect;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.util.SqlBasicVisitor;
import org.apache.calcite.sql.validate.SqlNameMatchers;
import org.apache.calcite.util.Util;

/**
 * Rewrites tables as of each row's time: {@code s JOIN t FOR SYSTEM_TIME AS OF s.rowtime AS v ON …} and {@code s,
 * LATERAL SNAPSHOT(t, s.rowtime) AS v}. Both become a join of {@code s} with {@link RowtimeOperators#VERSIONS} of
 * {@code t} whose condition calls {@link RowtimeOperators#AS_OF}. A table as of {@code PROCTIME()} is read when the row
 * is processed, as in any join with a table; a table as of a time that is the same for all rows becomes a {@link
 * RowtimeOperators#SNAPSHOT}.
 */
public final class TemporalTables {
  /** A table in FROM and the time as of which it is read. */
  private record Reference(SqlNode table, SqlNode time, SqlNode alias, List<SqlNode> names, SqlParserPos place) {}

  private final CatalogSnapshot catalog;
  private final Predicate<SqlNode> hasRowtime;

  private TemporalTables(CatalogSnapshot catalog, Predicate<SqlNode> hasRowtime) {
    this.catalog = catalog;
    this.hasRowtime = hasRowtime;
  }

  /**
   * @param hasRowtime returns whether the relation of that name has a ROWTIME, according to the catalog or a WITH
   *     clause
   */
  static void resolve(SqlSelect select, CatalogSnapshot catalog, Predicate<SqlNode> hasRowtime) {
    if (select.getFrom() != null) {
      select.setFrom(new TemporalTables(catalog, hasRowtime).from(select.getFrom()));
    }
  }

  /** Returns a hint for each FOR SYSTEM_TIME AS OF in a query, with the equivalent table function. */
  public static List<Diagnostic> hints(SqlNode query) {
    List<Diagnostic> hints = new ArrayList<>();
    query.accept(new SqlBasicVisitor<Void>() {
      @Override public Void visit(SqlCall call) {
        if (call instanceof SqlSnapshot snapshot) {
          hints.add(Diagnostic.info("RT0252", call.getParserPosition(), "FOR SYSTEM_TIME AS OF has a shorter form", "write " + shorter(snapshot)));
        }
        return super.visit(call);
      }
    });
    return hints;
  }

  private static String shorter(SqlSnapshot snapshot) {
    SqlNode time = snapshot.getPeriod();
    String table = text(snapshot.getTableRef());
    return isProctime(time) ? table + " alone: a join takes a table as it is when the row is processed; LATERAL SEARCH_KEY looks up rows by key"
        : isNow(time) ? "SNAPSHOT(" + table + ")" : (readsColumns(time) ? "LATERAL " : "") + "SNAPSHOT(" + table + ", " + text(time) + ")";
  }

  private static String text(SqlNode node) {
    return node.isA(SqlKind.QUERY) ? "(…)" : node.toSqlString(c -> c.withDialect(AnsiSqlDialect.DEFAULT).withQuoteAllIdentifiers(false)).getSql();
  }

  /** Returns whether an item in FROM is a table as of each row's time, after {@link #resolve}. */
  static boolean is(SqlNode item) {
    SqlNode function = item.getKind() == SqlKind.AS ? ((SqlCall) item).operand(0) : item;
    return function.getKind() == SqlKind.COLLECTION_TABLE
        && ((SqlCall) ((SqlCall) function).operand(0)).getOperator() == RowtimeOperators.VERSIONS;
  }

  private SqlNode from(SqlNode item) {
    SqlNode from = toSnapshot(item);
    if (from instanceof SqlJoin join) {
      join.setLeft(from(join.getLeft()));
      Reference right = reference(join.getRight());
      if (right == null) {
        join.setRight(from(join.getRight()));
      } else {
        resolve(join, right);
      }
      return join;
    }
    Reference first = reference(from);
    if (first != null) {
      throw new DiagnosticException("RT0124", first.time.getParserPosition(),
          "A table as of each row's time must be on the right of a join whose left side has these rows",
          "write s JOIN t FOR SYSTEM_TIME AS OF s.ROWTIME AS v ON s.k = v.k");
    }
    return from;
  }

  /** Converts a table as of a time that is the same for all rows to a SNAPSHOT; other items in FROM stay unchanged. */
  private static SqlNode toSnapshot(SqlNode item) {
    if (item.getKind() == SqlKind.AS) {
      ((SqlCall) item).setOperand(0, atOnce(((SqlCall) item).operand(0)));
      return item;
    }
    SqlNode plain = atOnce(item);
    return plain.getKind() != SqlKind.COLLECTION_TABLE || plain == item || !(((SqlSnapshot) item).getTableRef() instanceof SqlIdentifier name)
        ? plain : SqlStdOperatorTable.AS.createCall(item.getParserPosition(), plain,
            name.getComponent(name.names.size() - 1));
  }

  private static SqlNode atOnce(SqlNode item) {
    if (!(item instanceof SqlSnapshot snapshot) || readsColumns(snapshot.getPeriod())) {
      return item;
    }
    SqlNode table = snapshot.getTableRef();
    SqlNode time = snapshot.getPeriod();
    if (isProctime(time)) {
      return table;
    }
    SqlParserPos place = item.getParserPosition();
    SqlNode input = table instanceof SqlIdentifier ? SqlStdOperatorTable.EXPLICIT_TABLE.createCall(table.getParserPosition(), table) : table;
    SqlCall call = isNow(time) ? RowtimeOperators.SNAPSHOT.createCall(place, input) : RowtimeOperators.SNAPSHOT.createCall(place, input, time);
    return SqlStdOperatorTable.COLLECTION_TABLE.createCall(place, call);
  }

  /** Returns whether a time is the time at which a row is processed. */
  public static boolean isProctime(SqlNode time) {
    return nameOf(time).equals("PROCTIME");
  }

  private static boolean isNow(SqlNode time) {
    return List.of("NOW", "CURRENT_TIMESTAMP", "LOCALTIMESTAMP").contains(nameOf(time));
  }

  private static String nameOf(SqlNode time) {
    return time instanceof SqlCall call ? call.getOperator().getName().toUpperCase(Locale.ROOT)
        : time instanceof SqlIdentifier id && id.isSimple() ? id.getSimple().toUpperCase(Locale.ROOT) : "";
  }

  /** Returns a table as of a time that depends on columns; null for any other item in FROM. */
  private Reference reference(SqlNode node) {
    if (node.getKind() == SqlKind.AS) {
      SqlCall as = (SqlCall) node;
      Reference found = reference(as.operand(0));
      return found == null ? null : new Reference(found.table, found.time, as.operand(1),
          as.getOperandList().subList(2, as.operandCount()), node.getParserPosition());
    }
    if (node.getKind() == SqlKind.LATERAL) {
      return reference(((SqlCall) node).operand(0));
    }
    SqlNode table = null;
    SqlNode time = null;
    if (node instanceof SqlSnapshot snapshot) {
      table = snapshot.getTableRef();
      time = snapshot.getPeriod();
    } else if (node.getKind() == SqlKind.COLLECTION_TABLE && ((SqlCall) node).operand(0) instanceof SqlCall call
        && call.getOperator() == RowtimeOperators.SNAPSHOT && call.operandCount() == 2) {
      table = call.operand(0).getKind() == SqlKind.EXPLICIT_TABLE ? ((SqlCall) call.operand(0)).operand(0) : call.operand(0);
      time = call.operand(1);
    }
    if (time == null || !readsColumns(time) || object(table) == null) {
      return null;
    }
    SqlIdentifier name = (SqlIdentifier) table;
    return new Reference(table, time, name.getComponent(name.names.size() - 1), List.of(), node.getParserPosition());
  }

  private CatalogObject object(SqlNode table) {
    if (!(table instanceof SqlIdentifier id)) {
      return null;
    }
    CatalogObject object = catalog.find(String.join(".", id.names));
    return object == null || !object.hasRows() ? null : object;
  }

  private void resolve(SqlJoin join, Reference right) {
    if (join.isNatural() || join.getConditionType() == JoinConditionType.USING) {
      throw new DiagnosticException("RT0124", right.place, "NATURAL and USING cannot be used with a table as of each row's time",
          "write the condition with ON");
    }
    SqlParserPos place = right.time.getParserPosition();
    SqlCall versions = RowtimeOperators.VERSIONS.createCall(right.place,
        SqlStdOperatorTable.EXPLICIT_TABLE.createCall(right.table.getParserPosition(), right.table));
    List<SqlNode> as = new ArrayList<>(List.of(SqlStdOperatorTable.COLLECTION_TABLE.createCall(right.place, versions), right.alias));
    as.addAll(right.names);
    join.setRight(SqlStdOperatorTable.AS.createCall(right.place, as));

    SqlNode column = right.names.isEmpty()
        ? new SqlIdentifier(object(right.table).columns().get(0).name(), place) : right.names.get(0);
    SqlIdentifier first = ((SqlIdentifier) right.alias).plus(((SqlIdentifier) column).getSimple(), place);
    SqlNode time = RowtimeOperators.AS_OF.createCall(place, JoinRowtime.ofOnly(join.getLeft(), right.time, hasRowtime), first);
    boolean all = join.getConditionType() == JoinConditionType.NONE;
    SqlNode condition = all ? time : SqlStdOperatorTable.AND.createCall(join.getCondition().getParserPosition(),
        join.getCondition(), time);
    JoinType type = join.getJoinType() == JoinType.COMMA || join.getJoinType() == JoinType.CROSS ? JoinType.INNER : join.getJoinType();
    join.setOperand(2, type.symbol(join.getJoinTypeNode().getParserPosition()));
    join.setOperand(4, JoinConditionType.ON.symbol(join.getConditionTypeNode().getParserPosition()));
    join.setOperand(5, condition);
  }

  /** Returns whether a time can differ from row to row. */
  public static boolean readsColumns(SqlNode time) {
    try {
      time.accept(new SqlBasicVisitor<Void>() {
        @Override public Void visit(SqlIdentifier id) {
          // LOCALTIMESTAMP and similar functions look like columns.
          List<SqlOperator> functions = new ArrayList<>();
          SqlStdOperatorTable.instance().lookupOperatorOverloads(id, null, SqlSyntax.FUNCTION_ID, functions,
              SqlNameMatchers.withCaseSensitive(false));
          if (functions.isEmpty()) {
            throw Util.FoundOne.NULL;
          }
          return null;
        }
      });
      return false;
    } catch (Util.FoundOne found) {
      return true;
    }
  }
}
