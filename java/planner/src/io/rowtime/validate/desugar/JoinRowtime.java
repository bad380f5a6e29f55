package io.rowtime.validate.desugar;

import io.rowtime.catalog.CatalogObject;
import io.rowtime.validate.function.RowtimeOperators;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.apache.calcite.sql.JoinType;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlJoin;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlSelect;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.parser.SqlParserPos;

/**
 * Resolves ROWTIME without a relation in a query over a join: if several inputs have one, it is that of the joined row.
 * It becomes a call of {@link RowtimeOperators#JOIN_ROWTIME} with all of theirs.
 *
 * <p>In ORDER BY the name stays unchanged, because it may be a column of the result.
 */
final class JoinRowtime {
  private JoinRowtime() {}

  /**
   * @param hasRowtime returns whether the relation of that name has a ROWTIME, according to the catalog or a WITH
   *     clause
   */
  static void resolve(SqlSelect select, Predicate<SqlNode> hasRowtime) {
    if (select.getFrom() == null || select.getFrom().getKind() != SqlKind.JOIN) {
      return;
    }
    List<SqlIdentifier> inputs = new ArrayList<>();
    inputs(select.getFrom(), hasRowtime, inputs);
    if (inputs.size() < (keepsLeftTime(select.getFrom()) ? 1 : 2)) {
      return;
    }
    SqlNodeList items = select.getSelectList();
    for (int i = 0; i < items.size(); i++) {
      SqlNode item = items.get(i);
      SqlNode resolved = resolve(item, inputs);
      items.set(i, item == resolved ? item : withAlias(item, resolved));
    }
    Stream.of(select.getGroup(), select.getWindowList()).forEach(clause -> resolve(clause, inputs));
    select.setWhere(resolve(select.getWhere(), inputs));
    select.setHaving(resolve(select.getHaving(), inputs));
    select.setQualify(resolve(select.getQualify(), inputs));
  }

  private static boolean isAsof(SqlJoin join) {
    return join.getJoinType() == JoinType.ASOF || join.getJoinType() == JoinType.LEFT_ASOF;
  }

  /** Returns whether FROM contains a relation whose ROWTIME is not that of the joined row. */
  private static boolean keepsLeftTime(SqlNode from) {
    return from instanceof SqlJoin join ? isAsof(join) || keepsLeftTime(join.getLeft()) || keepsLeftTime(join.getRight())
        : TemporalTables.is(from);
  }

  /**
   * Returns an expression in which ROWTIME without a relation is that of the only relation of {@code from} that has
   * one.
   */
  static SqlNode ofOnly(SqlNode from, SqlNode expression, Predicate<SqlNode> hasRowtime) {
    List<SqlIdentifier> inputs = new ArrayList<>();
    inputs(from, hasRowtime, inputs);
    return inputs.size() == 1 ? resolve(expression, inputs) : expression;
  }

  private static SqlNode withAlias(SqlNode item, SqlNode resolved) {
    return !Desugaring.isRowtime(item) ? resolved : SqlStdOperatorTable.AS.createCall(item.getParserPosition(), resolved,
        new SqlIdentifier(CatalogObject.ROWTIME, item.getParserPosition()));
  }

  /** Adds the ROWTIMEs of the inputs of joins. */
  private static void inputs(SqlNode from, Predicate<SqlNode> hasRowtime, List<SqlIdentifier> found) {
    if (from instanceof SqlJoin join) {
      inputs(join.getLeft(), hasRowtime, found);
      // The rows of an ASOF join have the time of the left rows.
      if (!isAsof(join)) {
        inputs(join.getRight(), hasRowtime, found);
      }
      return;
    }
    // A table as of a time has the ROWTIME of the row for which it is read.
    SqlIdentifier name = TemporalTables.is(from) ? null : name(from);
    if (name != null && hasRowtime.test(from)) {
      found.add(name.plus(CatalogObject.ROWTIME, SqlParserPos.ZERO));
    }
  }

  /** Returns the name by which columns of an item in FROM are qualified; null if there is none. */
  private static SqlIdentifier name(SqlNode from) {
    return switch (from.getKind()) {
      case AS -> ((SqlCall) from).operand(1);
      case OVER -> name(((SqlCall) from).operand(0));
      case IDENTIFIER -> ((SqlIdentifier) from).getComponent(((SqlIdentifier) from).names.size() - 1);
      default -> null;
    };
  }

  private static SqlNode resolve(SqlNode node, List<SqlIdentifier> inputs) {
    if (node instanceof SqlIdentifier id) {
      if (!id.isSimple() || !Desugaring.isRowtime(id)) {
        return id;
      }
      return inputs.size() == 1 ? inputs.get(0).clone(id.getParserPosition())
          : RowtimeOperators.JOIN_ROWTIME.createCall(id.getParserPosition(), inputs);
    }
    if (node instanceof SqlNodeList list) {
      for (int i = 0; i < list.size(); i++) {
        list.set(i, resolve(list.get(i), inputs));
      }
    } else if (node instanceof SqlCall call && !call.isA(SqlKind.QUERY)) {
      // The alias of an item is a separate name.
      int operands = call.getKind() == SqlKind.AS ? 1 : call.operandCount();
      for (int i = 0; i < operands; i++) {
        SqlNode operand = call.operand(i);
        SqlNode resolved = resolve(operand, inputs);
        if (resolved != operand) {
          call.setOperand(i, resolved);
        }
      }
    }
    return node;
  }
}
