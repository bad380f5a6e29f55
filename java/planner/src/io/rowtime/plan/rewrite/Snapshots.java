package io.rowtime.plan.rewrite;

import io.rowtime.catalog.CatalogObject;
import io.rowtime.catalog.CatalogTable;
import io.rowtime.diagnostic.DiagnosticException;
import io.rowtime.plan.constant.ConstantRows;
import io.rowtime.plan.monotone.OrderAnalysis;
import io.rowtime.plan.monotone.StreamingNodes;
import io.rowtime.plan.origin.Origins;
import io.rowtime.plan.rel.Plans;
import io.rowtime.plan.rel.SnapshotScan;
import io.rowtime.plan.rel.SnapshotScan.AsOf;
import io.rowtime.plan.rel.SnapshotScan.By;
import io.rowtime.plan.rel.Variation;
import io.rowtime.validate.function.RowtimeOperators;
import java.util.List;
import java.util.Set;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.TableFunctionScan;
import org.apache.calcite.rel.core.TableScan;
import org.apache.calcite.rel.logical.LogicalFilter;
import org.apache.calcite.rel.logical.LogicalMinus;
import org.apache.calcite.rel.logical.LogicalProject;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexShuttle;
import org.apache.calcite.rex.RexSubQuery;
import org.apache.calcite.rex.RexUtil;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlOperator;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.util.TimestampString;

/**
 * Replaces {@code SNAPSHOT(input, to_time, from_time)}. Each table below the input becomes a {@link SnapshotScan}: a
 * stream, or a table with a PRIMARY KEY and a time column, by the times of its rows; any other table by the times of
 * its commits.
 */
final class Snapshots {
  private final RexBuilder rex;
  private final SqlParserPos place;

  private Snapshots(RelNode rel, SqlParserPos place) {
    this.rex = rel.getCluster().getRexBuilder();
    this.place = place;
  }

  static RelNode replace(RelNode plan, Origins origins) {
    if (Plans.nodes(plan).noneMatch(Snapshots::is)) {
      return plan;
    }
    return origins.rewrite(plan, (original, node) -> {
      RelNode below = Plans.replaceSubQueries(node, query -> replace(query, origins));
      return is(below) ? new Snapshots(below, origins.place(original, SqlParserPos.ZERO)).of((TableFunctionScan) below) : below;
    });
  }

  private static boolean is(RelNode rel) {
    return rel instanceof TableFunctionScan call && ((RexCall) call.getCall()).getOperator() == RowtimeOperators.SNAPSHOT;
  }

  private RelNode of(TableFunctionScan function) {
    List<RexNode> args = ((RexCall) function.getCall()).getOperands();
    Long to = args.isEmpty() ? null : millis(args.get(0), "to_time");
    Long from = args.size() < 2 ? null : millis(args.get(1), "from_time");
    if (to != null && from != null && from > to) {
      throw new DiagnosticException("RT0125", place, "from_time of SNAPSHOT is later than to_time", "swap them");
    }
    RelNode input = function.getInput(0);
    if (from == null) {
      return asOf(input, to);
    }
    RelNode plain = withoutIdentity(input);
    if (plain instanceof TableScan scan && !(scan instanceof SnapshotScan)) {
      int time = timeColumn(scan);
      if (time >= 0) {
        return filterByTime(latest(atStart(scan), scan, time, to), time, SqlStdOperatorTable.GREATER_THAN, from);
      }
    }
    return LogicalMinus.create(List.of(asOf(input, to), asOf(input, from)), true);
  }

  /** Returns the time of an argument, in milliseconds since 1970; null if it is omitted. */
  private Long millis(RexNode argument, String name) {
    if (argument.getKind() == SqlKind.DEFAULT) {
      return null;
    }
    if (argument.getType().getSqlTypeName() != SqlTypeName.TIMESTAMP && argument.getType().getSqlTypeName() != SqlTypeName.DATE) {
      throw new DiagnosticException("RT0125", place, name + " of SNAPSHOT must be a TIMESTAMP, not " + argument.getType(),
          "write, for example, TIMESTAMP '2024-01-20 00:00:00'");
    }
    if (Variation.varies(argument)) {
      throw new DiagnosticException("RT0125", place, name + " of SNAPSHOT must be the same in each run, so it cannot depend on the clock",
          "write a TIMESTAMP literal; SNAPSHOT(t) without a time is the table as it is when the query starts");
    }
    if (!RexUtil.isConstant(argument)) {
      throw new DiagnosticException("RT0125", place, name + " of SNAPSHOT depends on a column, but no join provides the rows with that column",
          "write s JOIN t FOR SYSTEM_TIME AS OF s.ROWTIME AS v ON …, or s, LATERAL SNAPSHOT(t, s.ROWTIME) AS v");
    }
    RexNode time = rex.ensureType(rex.getTypeFactory().createSqlType(SqlTypeName.TIMESTAMP, 3), argument, false);
    RexLiteral value = ConstantRows.value(rex, time);
    if (value == null || value.isNull()) {
      throw new DiagnosticException("RT0125", place, name + " of SNAPSHOT is " + (value == null ? "not a constant" : "NULL"),
          "write a TIMESTAMP literal");
    }
    return value.getValueAs(TimestampString.class).getMillisSinceEpoch();
  }

  /** Returns a whole query as of a time; null means the time at which the query starts. */
  private RelNode asOf(RelNode rel, Long time) {
    if (rel instanceof SnapshotScan) {
      // This input has a time of its own.
      return rel;
    }
    if (rel instanceof TableScan scan) {
      if (scan.getTable().unwrap(CatalogTable.class) == null) {
        return scan;
      }
      int column = timeColumn(scan);
      return column < 0 ? commitScan(scan, time) : latest(atStart(scan), scan, column, time);
    }
    List<RelNode> inputs = rel.getInputs().stream().map(input -> asOf(input, time)).toList();
    RelNode below = inputs.equals(rel.getInputs()) ? rel : rel.copy(rel.getTraitSet(), inputs);
    return below.accept(new RexShuttle() {
      @Override public RexNode visitSubQuery(RexSubQuery query) {
        return query.clone(asOf(query.rel, time));
      }
    });
  }

  private static RelNode withoutIdentity(RelNode rel) {
    return rel instanceof LogicalProject project && RexUtil.isIdentity(project.getProjects(), project.getInput().getRowType())
        ? withoutIdentity(project.getInput()) : rel;
  }

  /** Returns the column with the time from which on a row is in the table; -1 if that is the time of its commit. */
  private static int timeColumn(TableScan scan) {
    CatalogObject object = object(scan);
    if (!object.streamable() || object.isSystem() || object.kind().startsWith("FOREIGN") || !object.isStream() && object.primaryKey().isEmpty()) {
      return -1;
    }
    int column = new OrderAnalysis(StreamingNodes.of(scan, true)).of(scan).rowtime();
    return column < 0 || scan.getRowType().getFieldList().get(column).getType().isNullable() ? -1 : column;
  }

  private SnapshotScan commitScan(TableScan scan, Long time) {
    CatalogObject object = object(scan);
    if (time == null) {
      return atStart(scan);
    }
    if (object.isSystem() || object.kind().startsWith("FOREIGN")) {
      throw new DiagnosticException("RT0126", place, "'" + object.name() + "' has no history: only its current rows are available",
          "leave the time out; or copy its rows with a pump into a table or a stream with history");
    }
    return new SnapshotScan(scan, new AsOf(By.COMMIT, time));
  }

  private static SnapshotScan atStart(TableScan scan) {
    return new SnapshotScan(scan, new AsOf(By.START, null));
  }

  /** Returns the rows up to a time; if they have a primary key, only the latest row of each key. */
  private RelNode latest(RelNode rows, TableScan scan, int column, Long time) {
    RelNode until = time == null ? rows : filterByTime(rows, column, SqlStdOperatorTable.LESS_THAN_OR_EQUAL, time);
    List<String> key = object(scan).primaryKey();
    if (key.isEmpty()) {
      return until;
    }
    List<String> names = scan.getRowType().getFieldNames();
    List<RexNode> keys = key.stream().<RexNode>map(name -> rex.makeInputRef(until, names.indexOf(name))).toList();
    RelNode withNext = AsofJoins.withNext(until, column, keys, true);
    RexNode isLast = rex.makeCall(SqlStdOperatorTable.IS_NULL, rex.makeInputRef(withNext, names.size()));
    RexNode kept = notDeleted(scan);
    RelNode last = LogicalFilter.create(withNext, kept == null ? isLast : RexUtil.composeConjunction(rex, List.of(isLast, kept)));
    return LogicalProject.create(last, List.of(), rex.identityProjects(last.getRowType()).subList(0, names.size()), names, Set.of());
  }

  /** Returns the condition that a version does not delete its key, over its columns; null if versions never do. */
  static RexNode notDeleted(TableScan versions) {
    String column = object(versions).deleteColumn();
    RexBuilder rex = versions.getCluster().getRexBuilder();
    return column == null ? null : rex.makeCall(SqlStdOperatorTable.IS_NOT_TRUE,
        rex.makeInputRef(versions, versions.getRowType().getFieldNames().indexOf(column)));
  }

  private RelNode filterByTime(RelNode rows, int column, SqlOperator comparison, long millis) {
    RexNode time = rex.makeInputRef(rows, column);
    RexNode limit = rex.makeTimestampLiteral(TimestampString.fromMillisSinceEpoch(millis), 3);
    return LogicalFilter.create(rows, rex.makeCall(comparison, time, limit));
  }

  private static CatalogObject object(TableScan scan) {
    return scan.getTable().unwrapOrThrow(CatalogTable.class).object();
  }
}
