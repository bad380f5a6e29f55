package io.rowtime.statement;

import io.rowtime.catalog.CatalogColumn;
import io.rowtime.catalog.CatalogObject;
import io.rowtime.diagnostic.DiagnosticException;
import io.rowtime.plan.QueryPlanner;
import io.rowtime.plan.progress.PlannedQuery;
import io.rowtime.sql.SqlMergeInto;
import io.rowtime.validate.Environment;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.JoinConditionType;
import org.apache.calcite.sql.JoinType;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlDelete;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlInsert;
import org.apache.calcite.sql.SqlJoin;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlLiteral;
import org.apache.calcite.sql.SqlMerge;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlOperator;
import org.apache.calcite.sql.SqlSelect;
import org.apache.calcite.sql.SqlUpdate;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.parser.SqlParserPos;

/**
 * Plans UPDATE, DELETE and MERGE of a table, each as a query for the rows that the table has afterwards. Its last
 * field, {@code $change}, is {@value #KEPT} for an unchanged row, {@value #CHANGED} for an updated or deleted one, and
 * {@value #NEW} for an inserted one. (Deleted rows are included, so that they can be counted.)
 */
final class TableChanges {
  private static final int KEPT = 0;
  private static final int CHANGED = 1;
  private static final int NEW = 2;

  private static final String CHANGE = "$change";
  /** In a MERGE: mark whether there is a row of the table, and a row of the source. */
  private static final String OF_TABLE = "$table";
  private static final String OF_SOURCE = "$source";
  private static final SqlParserPos NOWHERE = SqlParserPos.ZERO;

  private final Environment environment;

  TableChanges(Environment environment) {
    this.environment = environment;
  }

  PlanResult delete(SqlDelete delete) {
    CatalogObject table = target("DELETE", delete, delete.getTargetTable());
    SqlIdentifier alias = alias(delete.getAlias(), delete.getTargetTable());
    List<SqlNode> selected = columnsOf(table, alias);
    selected.add(condition(delete.getCondition()));
    Rows rows = new Rows(table, select(selected, as(delete.getTargetTable(), alias)));
    return rows.outcome("DELETE", columns -> columns, rows.choice(rows.last(1), CHANGED, KEPT));
  }

  PlanResult update(SqlUpdate update) {
    CatalogObject table = target("UPDATE", update, update.getTargetTable());
    SqlIdentifier alias = alias(update.getAlias(), update.getTargetTable());
    List<CatalogColumn> set = Assignments.columns(table, update.getTargetColumnList());
    List<SqlNode> values = values(table, set, update.getSourceExpressionList());
    List<SqlNode> selected = columnsOf(table, alias);
    selected.addAll(values);
    selected.add(condition(update.getCondition()));
    Rows rows = new Rows(table, select(selected, as(update.getTargetTable(), alias)));
    RexNode meant = rows.last(1);
    List<RexNode> cast = rows.cast(set, values, table.columns().size());
    return rows.outcome("UPDATE", columns -> rows.replaced(columns, set, meant, cast), rows.choice(meant, CHANGED, KEPT));
  }

  /** Plans a MERGE that runs once. */
  PlanResult merge(SqlMergeInto merge) {
    return merge(SimpleMerge.of(merge));
  }

  private PlanResult merge(SqlMerge merge) {
    CatalogObject table = target("MERGE", merge, merge.getTargetTable());
    SqlUpdate update = merge.getUpdateCall();
    SqlInsert insert = merge.getInsertCall();
    SqlIdentifier alias = alias(merge.getAlias(), merge.getTargetTable());
    SqlIdentifier source = sourceAlias(merge.getSourceTableRef());
    List<CatalogColumn> set = update == null ? List.of() : Assignments.columns(table, update.getTargetColumnList());
    List<SqlNode> updated = update == null ? List.of() : values(table, set, update.getSourceExpressionList());
    List<CatalogColumn> given = insert == null ? List.of()
        : insertedColumns(table, insert.getTargetColumnList(), row(insert), insert.getSource().getParserPosition(), insert.getParserPosition());
    List<SqlNode> inserted = insert == null ? List.of() : values(table, given, row(insert));
    List<SqlNode> selected = columnsOf(table, alias);
    selected.addAll(updated);
    selected.addAll(inserted);
    selected.add(present(alias, OF_TABLE));
    selected.add(present(source, OF_SOURCE));
    // Unmatched rows of the table are needed if the table is rewritten, which an INSERT alone does not require.
    JoinType join = update == null ? JoinType.RIGHT : insert == null ? JoinType.LEFT : JoinType.FULL;
    SqlNode from = new SqlJoin(merge.getParserPosition(), withMark(merge.getTargetTable(), alias, OF_TABLE),
        SqlLiteral.createBoolean(false, NOWHERE), join.symbol(NOWHERE), withMark(merge.getSourceTableRef(), source, OF_SOURCE),
        JoinConditionType.ON.symbol(NOWHERE), merge.getCondition());
    Rows rows = new Rows(table, select(selected, from));
    int width = table.columns().size();
    List<RexNode> updates = rows.cast(set, updated, width);
    List<RexNode> inserts = rows.cast(given, inserted, width + updated.size());
    RexNode ofTable = rows.last(2);
    RexNode matched = rows.call(SqlStdOperatorTable.AND, ofTable, rows.last(1));
    RexNode change = rows.choice(ofTable, rows.choice(matched, update == null ? KEPT : CHANGED, KEPT), rows.number(NEW));
    return rows.outcome("MERGE", columns -> {
      List<RexNode> after = rows.replaced(columns, set, matched, updates);
      List<RexNode> fresh = rows.replaced(rows.nulls(), given, null, inserts);
      List<RexNode> either = new ArrayList<>();
      for (int i = 0; i < after.size(); i++) {
        either.add(insert == null ? after.get(i) : rows.choice(ofTable, after.get(i), fresh.get(i)));
      }
      return either;
    }, change);
  }

  // --- the statement ----------------------------------------------------------------------------------------------------

  CatalogObject target(String verb, SqlCall statement, SqlNode target) {
    if (!(target instanceof SqlIdentifier id)) {
      throw new DiagnosticException("RT0320", target.getParserPosition(), verb + " needs the name of a table", null);
    }
    CatalogObject object = Names.existing(environment.catalog(), id, "Table");
    if (object.isStream()) {
      throw new DiagnosticException("RT0331", statement.getParserPosition(), verb + " is not supported on streams",
          "rows of a stream never change; insert a later row that corrects it");
    }
    if (object.isMaterializedView()) {
      throw MaterializedViews.refused(object, id.getParserPosition(), "Cannot " + verb + " rows of");
    }
    if (!object.kind().equals("TABLE") || object.isSystem()) {
      throw new DiagnosticException("RT0331", id.getParserPosition(), verb + " is not supported on " + object.kind() + " '" + object.name() + "'",
          object.isView() ? "change the tables that it reads" : "change it in the system that stores its rows");
    }
    if (object.streamable()) {
      throw new DiagnosticException("RT0331", id.getParserPosition(), verb + " is not supported on table '" + object.name() + "': it can be read as a stream, and a stream is append-only",
          "insert a later row that corrects it");
    }
    return object;
  }

  static SqlIdentifier alias(SqlIdentifier alias, SqlNode table) {
    List<String> names = ((SqlIdentifier) table).names;
    return alias != null ? alias : new SqlIdentifier(names.get(names.size() - 1), table.getParserPosition());
  }

  private static SqlIdentifier sourceAlias(SqlNode source) {
    if (source.getKind() == SqlKind.AS) {
      return ((SqlCall) source).operand(1);
    }
    return source instanceof SqlIdentifier id ? alias(null, id) : new SqlIdentifier("$s", source.getParserPosition());
  }

  /** Returns {@code (SELECT *, TRUE AS mark FROM source) AS alias}. */
  private static SqlNode withMark(SqlNode source, SqlIdentifier alias, String mark) {
    SqlNode truth = SqlStdOperatorTable.AS.createCall(NOWHERE, SqlLiteral.createBoolean(true, NOWHERE), new SqlIdentifier(mark, NOWHERE));
    return as(select(List.of(SqlIdentifier.star(source.getParserPosition()), truth), source), alias);
  }

  private static SqlNode present(SqlIdentifier alias, String mark) {
    return SqlStdOperatorTable.IS_TRUE.createCall(NOWHERE, new SqlIdentifier(List.of(alias.getSimple(), mark), NOWHERE));
  }

  static SqlNode as(SqlNode from, SqlIdentifier alias) {
    return SqlStdOperatorTable.AS.createCall(from.getParserPosition(), from, alias);
  }

  static SqlSelect select(List<SqlNode> selected, SqlNode from) {
    return new SqlSelect(from.getParserPosition(), null, new SqlNodeList(selected, NOWHERE), from, null, null, null, null, null, null, null, null, null);
  }

  static List<SqlNode> columnsOf(CatalogObject table, SqlIdentifier alias) {
    List<SqlNode> columns = new ArrayList<>();
    table.columns().forEach(c -> columns.add(new SqlIdentifier(List.of(alias.getSimple(), c.name()), NOWHERE)));
    return columns;
  }

  /** Returns a condition that is TRUE or FALSE, never unknown. */
  static SqlNode condition(SqlNode condition) {
    return condition == null ? SqlLiteral.createBoolean(true, NOWHERE)
        : SqlStdOperatorTable.IS_TRUE.createCall(condition.getParserPosition(), condition);
  }

  /** Returns the columns that WHEN NOT MATCHED fills: those that it names, else all. */
  static List<CatalogColumn> insertedColumns(CatalogObject table, SqlNodeList columns, List<SqlNode> row, SqlParserPos values, SqlParserPos pos) {
    List<CatalogColumn> named = columns == null ? table.columns() : Assignments.columns(table, columns);
    if (named.size() != row.size()) {
      throw new DiagnosticException("RT0322", values, named.size() + " columns are listed, but the row has " + row.size() + " values",
          "give one value for each column");
    }
    Assignments.checkOmitted(table, named, pos);
    List<CatalogColumn> all = new ArrayList<>(named);
    table.columns().stream().filter(c -> !named.contains(c) && c.defaultValue() != null).forEach(all::add);
    return all;
  }

  private static List<SqlNode> row(SqlInsert insert) {
    return ((SqlCall) ((SqlCall) insert.getSource()).operand(0)).getOperandList();
  }

  /**
   * Returns the values that columns are assigned: the given expressions, then the DEFAULTs of the remaining columns.
   */
  static List<SqlNode> values(CatalogObject table, List<CatalogColumn> columns, List<SqlNode> given) {
    List<SqlNode> values = new ArrayList<>();
    for (int i = 0; i < columns.size(); i++) {
      SqlNode value = i < given.size() ? given.get(i) : SqlStdOperatorTable.DEFAULT.createCall(NOWHERE);
      values.add(Assignments.assignedValue(table, columns.get(i), value));
    }
    return values;
  }

  // --- its rows ---------------------------------------------------------------------------------------------------------

  /** Maps the columns of the table to their new values. */
  @FunctionalInterface
  private interface After {
    List<RexNode> of(List<RexNode> columns);
  }

  /** The planned query of a statement, and expressions over its fields: the table's columns come first. */
  private final class Rows {
    private final CatalogObject table;
    private final QueryPlanner planner = new QueryPlanner(environment);
    private final PlannedQuery query;
    private final RexBuilder builder;

    Rows(CatalogObject table, SqlSelect select) {
      this.table = table;
      this.query = planner.plan(select);
      this.builder = query.rel().getCluster().getRexBuilder();
    }

    RexNode field(int index) {
      return RexInputRef.of(index, query.rel().getRowType());
    }

    /** Returns a field, counted from the end. */
    RexNode last(int index) {
      return field(query.rel().getRowType().getFieldCount() - index);
    }

    RexNode call(SqlOperator operator, RexNode... operands) {
      return builder.makeCall(operator, operands);
    }

    RexNode choice(RexNode condition, RexNode yes, RexNode no) {
      return builder.makeCall(SqlStdOperatorTable.CASE, condition, yes, no);
    }

    RexNode choice(RexNode condition, int yes, int no) {
      return yes == no ? number(yes) : choice(condition, number(yes), number(no));
    }

    RexNode number(int value) {
      return builder.makeExactLiteral(BigDecimal.valueOf(value));
    }

    /** Returns the values from field {@code first} on, cast to the types of the columns. */
    List<RexNode> cast(List<CatalogColumn> columns, List<SqlNode> values, int first) {
      Assignments assignments = new Assignments(environment);
      List<RexNode> cast = new ArrayList<>();
      for (int i = 0; i < columns.size(); i++) {
        RexNode value = field(first + i);
        RelDataType type = assignments.type(columns.get(i), value.getType(), values.get(i).getParserPosition());
        cast.add(builder.makeCast(type, value, true, false));
      }
      return cast;
    }

    /** Returns all columns as NULL. */
    List<RexNode> nulls() {
      List<RexNode> nulls = new ArrayList<>();
      for (int i = 0; i < table.columns().size(); i++) {
        nulls.add(builder.makeNullLiteral(environment.typeFactory().createTypeWithNullability(field(i).getType(), true)));
      }
      return nulls;
    }

    /** Returns the columns with new values for some of them if the condition is true; unconditionally if it is null. */
    List<RexNode> replaced(List<RexNode> columns, List<CatalogColumn> set, RexNode condition, List<RexNode> values) {
      List<RexNode> after = new ArrayList<>(columns);
      for (int i = 0; i < set.size(); i++) {
        int index = table.columns().indexOf(set.get(i));
        after.set(index, condition == null ? values.get(i) : choice(condition, values.get(i), columns.get(index)));
      }
      return after;
    }

    PlanResult outcome(String verb, After after, RexNode change) {
      List<RexNode> columns = new ArrayList<>();
      List<String> names = new ArrayList<>(table.columns().stream().map(CatalogColumn::name).toList());
      for (int i = 0; i < names.size(); i++) {
        columns.add(field(i));
      }
      List<RexNode> fields = new ArrayList<>(after.of(columns));
      fields.add(change);
      List<String> target = List.copyOf(names);
      names.add(CHANGE);
      return new PlanResult(StatementType.CHANGE, verb).object(table.name()).target(table.name(), target).plan(planner.project(query, fields, names));
    }
  }
}
