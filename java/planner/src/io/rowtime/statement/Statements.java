package io.rowtime.statement;

import io.rowtime.diagnostic.DiagnosticException;
import io.rowtime.plan.QueryPlanner;
import io.rowtime.plan.progress.PlannedQuery;
import io.rowtime.sql.SqlAlterPump;
import io.rowtime.sql.SqlAlterRelation;
import io.rowtime.sql.SqlCreateFunction;
import io.rowtime.sql.SqlCreateMaterializedView;
import io.rowtime.sql.SqlCreatePump;
import io.rowtime.sql.SqlCreateRelation;
import io.rowtime.sql.SqlCreateView;
import io.rowtime.sql.SqlDescribeObject;
import io.rowtime.sql.SqlDropObject;
import io.rowtime.sql.SqlExplainStatement;
import io.rowtime.sql.SqlLateness;
import io.rowtime.sql.SqlMergeInto;
import io.rowtime.sql.SqlShow;
import io.rowtime.sql.SqlShowSaves;
import io.rowtime.sql.SqlTransaction;
import io.rowtime.validate.Environment;
import io.rowtime.validate.desugar.StreamKeyword;
import org.apache.calcite.sql.SqlDelete;
import org.apache.calcite.sql.SqlInsert;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlUpdate;

/** Plans statements of any kind against a catalog snapshot. */
public final class Statements {
  private final Environment environment;

  public Statements(Environment environment) {
    this.environment = environment;
  }

  /**
   * Plans a parsed statement.
   *
   * @throws DiagnosticException if it is not valid
   */
  public PlanResult plan(SqlNode statement) {
    if (statement instanceof SqlCreateRelation create) {
      return new Relations(environment).create(create);
    }
    if (statement instanceof SqlCreateView create) {
      return new Views(environment).create(create);
    }
    if (statement instanceof SqlCreateMaterializedView create) {
      return new MaterializedViews(environment).create(create);
    }
    if (statement instanceof SqlCreatePump create) {
      return new Pumps(environment).create(create);
    }
    if (statement instanceof SqlCreateFunction create) {
      return new UserFunctions(environment).create(create);
    }
    if (statement instanceof SqlAlterRelation alter) {
      return new Relations(environment).alter(alter);
    }
    if (statement instanceof SqlAlterPump alter) {
      return new Pumps(environment).alter(alter);
    }
    if (statement instanceof SqlDropObject drop) {
      return Drops.drop(environment.catalog(), drop);
    }
    if (statement instanceof SqlLateness lateness) {
      return new LatenessStatement(environment).declare(lateness);
    }
    if (statement instanceof SqlInsert insert) {
      return new Inserts(environment).insert(insert, false);
    }
    if (statement instanceof SqlShow show) {
      return new PlanResult(StatementType.SHOW, "SHOW").object(show.what.plural()).like(show.like == null ? null : show.like.toValue());
    }
    if (statement instanceof SqlShowSaves show) {
      return new PlanResult(StatementType.SHOW, "SHOW").object("SAVES").like(show.like == null ? null : show.like.toValue());
    }
    if (statement instanceof SqlDescribeObject describe) {
      return new PlanResult(StatementType.DESCRIBE, "DESCRIBE").object(Names.existing(environment.catalog(), describe.name, "Object").name());
    }
    if (statement instanceof SqlExplainStatement explain) {
      return plan(explain.statement).within(StatementType.EXPLAIN, "EXPLAIN");
    }
    if (statement instanceof SqlTransaction transaction) {
      throw new DiagnosticException("RT0330", transaction.getParserPosition(), transaction.action + " is not supported on streams",
          "each INSERT is durable when it returns, and cannot be rolled back");
    }
    return other(statement);
  }

  private PlanResult other(SqlNode statement) {
    if (statement.isA(SqlKind.QUERY)) {
      QueryHints hints = QueryHints.of(statement);
      if (hints.realTime() != null) {
        throw RealTime.onlyPumps(hints.realTime().getParserPosition());
      }
      PlannedQuery planned = new QueryPlanner(environment).plan(statement).withOnError(hints.onError());
      PlanResult outcome = PlanResult.select(planned);
      hints.tell(outcome, planned.streaming());
      return outcome;
    }
    TableChanges changes = new TableChanges(environment);
    if (statement instanceof SqlDelete delete) {
      return changes.delete(delete);
    }
    if (statement instanceof SqlUpdate update) {
      return changes.update(update);
    }
    if (statement instanceof SqlMergeInto merge) {
      // What a pump stores is planned by itself when it runs.
      return merge.query() != null && StreamKeyword.isStreaming(merge.query()) ? new PumpMerges(environment).plan(merge) : changes.merge(merge);
    }
    throw new DiagnosticException("RT0331", statement.getParserPosition(), statement.getKind().sql + " is not a statement of rowtime",
        "statements are SELECT, INSERT, UPDATE, DELETE, MERGE, CREATE, ALTER, DROP, LATENESS, SHOW, DESCRIBE and EXPLAIN");
  }
}
