package io.rowtime.statement;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.rowtime.catalog.CatalogColumn;
import io.rowtime.catalog.CatalogObject;
import io.rowtime.diagnostic.DiagnosticException;
import io.rowtime.plan.QueryPlanner;
import io.rowtime.plan.build.PhysicalPlans;
import io.rowtime.plan.json.PlanWriter;
import io.rowtime.plan.progress.PlannedQuery;
import io.rowtime.sql.SqlMergeClause;
import io.rowtime.sql.SqlMergeInto;
import io.rowtime.validate.Environment;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexUtil;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.type.SqlTypeUtil;

/**
 * Plans pumps that MERGE, UPDATE or DELETE. The query of the source is planned by itself, as that of any pump. The clauses become
 * expressions over a row of the table and one of the source ({@link MergeExpressions}): each row of the source is applied to
 * the row of the table with its key.
 */
final class PumpMerges {
  private static final String KEYS = "RT0332";
  private final Environment environment;

  PumpMerges(Environment environment) {
    this.environment = environment;
  }

  PlanResult plan(SqlMergeInto merge) {
    String verb = merge.form.name();
    CatalogObject table = new TableChanges(environment).target(verb, merge, merge.target);
    if (table.primaryKey().isEmpty()) {
      throw new DiagnosticException(KEYS, merge.target.getParserPosition(), "A pump can " + verb + " only rows of a table with a PRIMARY KEY, and '"
          + table.name() + "' has none", "declare one: CREATE TABLE " + table.name() + " (…, PRIMARY KEY (…))");
    }
    QueryHints hints = QueryHints.of(merge.query());
    SqlParserPos place = merge.query().getParserPosition();
    PlannedQuery source = new QueryPlanner(environment).plan(merge.query()).withOnError(hints.onError());
    if (!source.streaming()) {
      throw new DiagnosticException("RT0321", place, "A pump needs a streaming query", "write SELECT STREAM");
    }
    PlanResult outcome = new PlanResult(StatementType.INSERT, "INSERT").object(table.name()).target(table.name(), table.columns().stream().map(CatalogColumn::name).toList());
    hints.tell(outcome, true);
    outcome.plan(source);
    if (hints.realTime() != null) {
      new RealTime(environment.catalog()).check(outcome, table, merge.target.getParserPosition(), hints.realTime());
    }
    return outcome.merges(table.primaryKey(), new Clauses(merge, table, source.rel().getRowType(), outcome).json());
  }

  /** The clauses of a statement as expressions. */
  private final class Clauses {
    private final SqlMergeInto merge;
    private final CatalogObject table;
    private final PlanResult outcome;
    private final MergeExpressions expressions;
    private final int width;

    Clauses(SqlMergeInto merge, CatalogObject table, RelDataType source, PlanResult outcome) {
      this.merge = merge;
      this.table = table;
      this.outcome = outcome;
      this.width = table.columns().size();
      this.expressions = new MergeExpressions(environment, merge, table, source);
    }

    ObjectNode json() {
      List<SqlNode> rest = new ArrayList<>();
      List<RexNode> key = key(rest);
      if (merge.form == SqlMergeInto.Form.MERGE && !rest.isEmpty()) {
        throw new DiagnosticException(KEYS, rest.get(0).getParserPosition(), "ON compares only the PRIMARY KEY of '" + table.name() + "' ("
            + String.join(", ", table.primaryKey()) + ") with the source", "move this condition to WHEN MATCHED AND …, or WHEN NOT MATCHED AND …");
      }
      ObjectNode json = JsonNodeFactory.instance.objectNode();
      json.set("key", write(key));
      ArrayNode clauses = json.putArray("clauses");
      for (SqlMergeClause clause : merge.all()) {
        List<SqlNode> conditions = new ArrayList<>(rest);
        if (clause.condition != null) {
          conditions.add(clause.condition);
        }
        RexNode condition = expressions.condition(conditions, clause.getParserPosition());
        List<RexNode> values = values(clause, key);
        if (clause.action == SqlMergeClause.Action.INSERT) {
          requireSource(condition, clause.condition);
        }
        ObjectNode written = clauses.addObject().put("action", clause.action.name().toLowerCase(Locale.ROOT));
        written.set("condition", write(List.of(condition)).get(0));
        written.set("values", write(values));
      }
      return json;
    }

    /** Returns the values of the source that are the key, in its order; adds all other conditions to {@code rest}. */
    private List<RexNode> key(List<SqlNode> rest) {
      RexNode[] key = new RexNode[table.primaryKey().size()];
      for (SqlNode each : conjuncts(merge.condition, new ArrayList<>())) {
        if (!(each.getKind() == SqlKind.EQUALS && each instanceof SqlCall call && compares(call, key))) {
          rest.add(each);
        }
      }
      for (int i = 0; i < key.length; i++) {
        if (key[i] == null) {
          SqlNode place = merge.condition == null ? merge.target : merge.condition;
          throw new DiagnosticException(KEYS, place.getParserPosition(), "Column '" + table.primaryKey().get(i) + "' of the PRIMARY KEY of '"
              + table.name() + "' is not compared with the source, so a row of the source can match several rows",
              "compare all of it: " + (merge.form == SqlMergeInto.Form.MERGE ? "ON" : "WHERE") + " " + table.name() + "."
                  + table.primaryKey().get(i) + " = …");
        }
      }
      return List.of(key);
    }

    /** Returns whether a call compares a column of the key with values of the source, and notes these. */
    private boolean compares(SqlCall call, RexNode[] key) {
      List<RexNode> sides = expressions.all(call.getOperandList(), call.getParserPosition());
      for (int side = 0; side < 2; side++) {
        int place = sides.get(side) instanceof RexInputRef ref && ref.getIndex() < width
            ? table.primaryKey().indexOf(table.columns().get(ref.getIndex()).name()) : -1;
        RexNode value = sides.get(1 - side);
        if (place < 0 || key[place] != null || readsTable(value)) {
          continue;
        }
        RelDataType type = sides.get(side).getType();
        RexNode cast = expressions.builder().makeCast(expressions.nullable(type), value, true, false);
        if (!SqlTypeUtil.equalSansNullability(expressions.types(), type, value.getType()) && !RexUtil.isLosslessCast(cast)) {
          throw new DiagnosticException(KEYS, call.operand(1 - side).getParserPosition(), "'" + table.primaryKey().get(place) + "' is "
              + type + ", and not every " + value.getType() + " is one", "CAST the value to " + type);
        }
        key[place] = cast;
        return true;
      }
      return false;
    }

    private static List<SqlNode> conjuncts(SqlNode condition, List<SqlNode> found) {
      if (condition != null && condition.getKind() == SqlKind.AND) {
        ((SqlCall) condition).getOperandList().forEach(each -> conjuncts(each, found));
      } else if (condition != null) {
        found.add(condition);
      }
      return found;
    }

    /** Returns what a clause makes of all columns; nothing for DELETE. */
    private List<RexNode> values(SqlMergeClause clause, List<RexNode> key) {
      SqlParserPos place = clause.getParserPosition();
      return switch (clause.action) {
        case DELETE -> List.of();
        case UPDATE -> {
          List<CatalogColumn> set = Assignments.columns(table, clause.columns);
          for (int i = 0; i < set.size(); i++) {
            if (table.primaryKey().contains(set.get(i).name())) {
              throw new DiagnosticException(KEYS, clause.columns.get(i).getParserPosition(), "UPDATE cannot set '" + set.get(i).name()
                  + "': it is part of the PRIMARY KEY of '" + table.name() + "'", "DELETE the row, and insert another one");
            }
          }
          List<RexNode> all = new ArrayList<>();
          for (int i = 0; i < width; i++) {
            all.add(expressions.column(i));
          }
          assign(all, set, TableChanges.values(table, set, clause.values), place);
          yield all;
        }
        case INSERT -> {
          List<CatalogColumn> given = TableChanges.insertedColumns(table, clause.columns, clause.values, clause.values.getParserPosition(), place);
          List<RexNode> all = new ArrayList<>();
          for (int i = 0; i < width; i++) {
            RexBuilder builder = expressions.builder();
            all.add(builder.makeNullLiteral(expressions.nullable(expressions.column(i).getType())));
          }
          List<RexNode> values = assign(all, given, TableChanges.values(table, given, clause.values), place);
          for (int i = 0; i < values.size(); i++) {
            SqlNode written = i < clause.values.size() ? clause.values.get(i) : clause;
            requireSource(values.get(i), written);
            int part = table.primaryKey().indexOf(given.get(i).name());
            if (part >= 0 && !same(values.get(i), key.get(part))) {
              throw new DiagnosticException(KEYS, written.getParserPosition(), "INSERT gives '" + given.get(i).name() + "' of the PRIMARY KEY another value than ON"
                  + " compares it with, so the new row could be another row of '" + table.name() + "'", "insert the value that ON compares");
            }
          }
          yield all;
        }
      };
    }

    private List<RexNode> assign(List<RexNode> all, List<CatalogColumn> columns, List<SqlNode> values, SqlParserPos place) {
      List<RexNode> made = expressions.all(values, place);
      for (int i = 0; i < columns.size(); i++) {
        RelDataType type = new Assignments(environment).type(columns.get(i), made.get(i).getType(), values.get(i).getParserPosition());
        made.set(i, expressions.builder().makeCast(type, made.get(i), true, false));
        all.set(table.columns().indexOf(columns.get(i)), made.get(i));
      }
      return made;
    }

    private boolean same(RexNode one, RexNode other) {
      return RexUtil.removeNullabilityCast(expressions.types(), one).toString()
          .equals(RexUtil.removeNullabilityCast(expressions.types(), other).toString());
    }

    private void requireSource(RexNode value, SqlNode place) {
      if (readsTable(value)) {
        throw new DiagnosticException(MergeExpressions.REFUSED, place.getParserPosition(), "WHEN NOT MATCHED there is no row of '" + table.name()
            + "', so the clause cannot read its columns", "use columns of the source");
      }
    }

    private boolean readsTable(RexNode value) {
      int first = RelOptUtil.InputFinder.bits(value).nextSetBit(0);
      return first >= 0 && first < width;
    }

    private ArrayNode write(List<RexNode> nodes) {
      PhysicalPlans.Expressions made = PhysicalPlans.expressions(expressions.builder(), nodes);
      made.notSupported().forEach(outcome::notSupported);
      return PlanWriter.expressions(made.expressions());
    }
  }
}
