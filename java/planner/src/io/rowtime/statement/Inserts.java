package io.rowtime.statement;

import io.rowtime.catalog.CatalogColumn;
import io.rowtime.catalog.CatalogObject;
import io.rowtime.diagnostic.DiagnosticException;
import io.rowtime.plan.QueryPlanner;
import io.rowtime.plan.constant.ConstantRows;
import io.rowtime.plan.node.Expression;
import io.rowtime.plan.progress.PlannedQuery;
import io.rowtime.plan.progress.WindowOrderliness;
import io.rowtime.sql.SqlExpeditedInsert;
import io.rowtime.validate.Environment;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlInsert;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.parser.SqlParserPos;

/** INSERT [EXPEDITED] INTO stream or table. */
final class Inserts {
  private final Environment environment;

  Inserts(Environment environment) {
    this.environment = environment;
  }

  /**
   * Plans an INSERT.
   *
   * @param pump whether it is the body of a pump; only a pump, and nothing else, can insert a stream
   */
  PlanResult insert(SqlInsert insert, boolean pump) {
    PlanResult outcome = new PlanResult(StatementType.INSERT, "INSERT");
    if (!(insert.getTargetTable() instanceof SqlIdentifier id)) {
      throw new DiagnosticException("RT0320", insert.getTargetTable().getParserPosition(), "INSERT needs the name of a stream or table",
          "columns are listed without types: INSERT INTO s (a, b) …");
    }
    CatalogObject target = Names.existing(environment.catalog(), id, "Table or stream");
    if (target.isMaterializedView()) {
      throw MaterializedViews.refused(target, id.getParserPosition(), "Cannot insert into");
    }
    if (target.isView() || target.isPump()) {
      throw new DiagnosticException("RT0320", id.getParserPosition(), "Cannot insert into " + target.kind() + " '" + target.name() + "'",
          "insert into a stream or a table");
    }
    if (target.isSystem()) {
      throw new DiagnosticException("RT0320", id.getParserPosition(), "'" + target.name() + "' is written only by rowtime",
          "insert into a stream or a table of your own");
    }
    if (target.isForeign()) {
      ForeignRules.writable(target, id.getParserPosition());
    }
    QueryPlanner planner = new QueryPlanner(environment);
    if (insert instanceof SqlExpeditedInsert) {
      outcome.expedited();
    }
    if (Parameters.areRow(insert)) {
      outcome.parameterRows();
    }
    if (Parameters.castToColumns(insert, target)) {
      outcome.notSupported("parameters ('?') outside a prepared statement");
    }
    SqlParserPos sourcePos = insert.getSource().getParserPosition();
    defaults(target, insert);
    QueryHints hints = QueryHints.of(insert.getSource());
    boolean upserts = PrimaryKeys.takesChanges(target);
    PlannedQuery source = planner.plan(insert.getSource(), upserts);
    hints.tell(outcome, source.streaming());
    List<CatalogColumn> columns = columns(target, insert, source.rel().getRowType().getFieldCount(), sourcePos);
    Assignments.checkOmitted(target, columns, id.getParserPosition());
    if (target.isForeign()) {
      ForeignRules.checkInsert(target, columns, insert);
    }
    int rowtime = source.rel().getRowType().getFieldNames().indexOf(CatalogObject.ROWTIME);
    if (target.isStream() && source.rowtimeGoesBack() && columns.get(rowtime).name().equals(CatalogObject.ROWTIME)) {
      throw new DiagnosticException("RT0209", sourcePos, "ROWTIME of a stream must increase, but SESSION returns rows in the order in which"
          + " their sessions end", "select WINDOW_END AS ROWTIME");
    }
    PlannedQuery cast = planner.cast(source, rowType(columns, source.rel().getRowType(), environment, sourcePos)).withOnError(hints.onError());
    outcome.object(target.name()).target(target.name(), columns.stream().map(CatalogColumn::name).toList());
    Map<String, Expression> defaults = new LinkedHashMap<>();
    target.columns().stream().filter(column -> column.defaultValue() != null && !columns.contains(column))
        .forEach(column -> defaults.put(column.name(), new ColumnDefault(environment).value(column)));
    outcome.defaults(defaults);
    if (upserts && cast.streaming()) {
      cast = cast.withUpserts(new PlannedQuery.Upserts(target, PrimaryKeys.filled(target, columns)));
    }
    outcome.plan(cast.streaming() ? cast : cast.withValues(ConstantRows.fold(cast.rel())));
    if (outcome.updates()) {
      PrimaryKeys.check(target, columns, source, cast, sourcePos);
      outcome.upserts(target.primaryKey());
    }
    if (hints.realTime() != null) {
      new RealTime(environment.catalog()).check(outcome, target, id.getParserPosition(), hints.realTime());
    }
    if (cast.streaming() && target.kind().equals("STREAM") && !allowsLate(target)) {
      checkOrder(target, new WindowOrderliness(cast), outcome);
    }
    if (pump && !source.streaming()) {
      throw new DiagnosticException("RT0321", sourcePos, "A pump needs a streaming query", "write SELECT STREAM");
    }
    return outcome;
  }

  /** Refuses rows that a stream without LATENESS would reject as late. */
  private static void checkOrder(CatalogObject target, WindowOrderliness rows, PlanResult outcome) {
    String remedy = ". Declare ROWTIME of " + target.name() + " with a LATENESS that allows for it, or insert into a table";
    long behind = rows.behindOfWindows();
    if (rows.comesBehind()) {
      outcome.notSupported("LEAD or ROWS … FOLLOWING with PARTITION BY into stream '" + target.name() + "': a row waits for later ones "
          + "of its partition, however late they are, and would then be rejected as late" + remedy);
    } else if (behind > 0) {
      outcome.notSupported("rows of overlapping windows into stream '" + target.name() + "': they leave when their window is complete, up to "
          + Duration.ofMillis(behind) + " behind rows that left before, and would be rejected as late" + remedy);
    }
  }

  private static boolean allowsLate(CatalogObject target) {
    return target.columns().stream().anyMatch(column -> column.name().equals(CatalogObject.ROWTIME) && column.lateness() != null);
  }

  /** Replaces the keyword DEFAULT in VALUES by the columns' defaults. */
  private static void defaults(CatalogObject target, SqlInsert insert) {
    if (insert.getSource().getKind() != SqlKind.VALUES) {
      return;
    }
    for (SqlNode row : ((SqlCall) insert.getSource()).getOperandList()) {
      if (row instanceof SqlCall values && values.getOperandList().stream().anyMatch(value -> value.getKind() == SqlKind.DEFAULT)) {
        List<CatalogColumn> columns = columns(target, insert, values.operandCount(), insert.getSource().getParserPosition());
        for (int i = 0; i < columns.size(); i++) {
          values.setOperand(i, Assignments.assignedValue(target, columns.get(i), values.operand(i)));
        }
      }
    }
  }

  private static List<CatalogColumn> columns(CatalogObject target, SqlInsert insert, int count, SqlParserPos sourcePos) {
    List<CatalogColumn> all = target.columns();
    if (insert.getTargetColumnList() == null) {
      boolean withoutRowtime = target.isStream() && count == all.size() - 1;
      List<CatalogColumn> columns = withoutRowtime
          ? all.stream().filter(c -> !c.name().equals(CatalogObject.ROWTIME)).toList() : all;
      if (columns.size() != count) {
        throw new DiagnosticException("RT0322", sourcePos, "'" + target.name() + "' has " + all.size() + " columns, but the rows have " + count,
            "name the columns that the rows fill: INSERT INTO " + target.name() + " (" + String.join(", ", all.stream().map(CatalogColumn::name).toList()) + ") …");
      }
      return columns;
    }
    List<CatalogColumn> columns = Assignments.columns(target, insert.getTargetColumnList());
    if (columns.size() != count) {
      throw new DiagnosticException("RT0322", sourcePos, columns.size() + " columns are named, but the rows have " + count, "give one value for each column");
    }
    return columns;
  }

  /** Returns the types that the rows are cast to: those of the columns, with the nullability of the inserted values. */
  static RelDataType rowType(List<CatalogColumn> columns, RelDataType source, Environment environment, SqlParserPos pos) {
    Assignments assignments = new Assignments(environment);
    RelDataTypeFactory.Builder builder = environment.typeFactory().builder();
    for (int i = 0; i < columns.size(); i++) {
      builder.add(columns.get(i).name(), assignments.type(columns.get(i), source.getFieldList().get(i).getType(), pos));
    }
    return builder.build();
  }
}
