package io.rowtime.plan.progress;

import io.rowtime.catalog.CatalogTable;
import io.rowtime.diagnostic.Diagnostic;
import io.rowtime.plan.monotone.GroupingSets;
import io.rowtime.plan.monotone.Monotonicity;
import io.rowtime.plan.monotone.NodeOrder;
import io.rowtime.plan.monotone.OrderAnalysis;
import io.rowtime.plan.monotone.StreamingNodes;
import io.rowtime.plan.rel.AppliedChangelog;
import io.rowtime.plan.rel.ChangeScan;
import io.rowtime.plan.rel.Changelogs;
import io.rowtime.plan.rel.IntervalJoin;
import io.rowtime.plan.rel.JoinKeys;
import io.rowtime.plan.rel.LookupJoin;
import io.rowtime.plan.rel.Plans;
import io.rowtime.plan.rel.SessionAggregate;
import io.rowtime.plan.rel.SessionWindows;
import io.rowtime.plan.rel.StateTtl;
import io.rowtime.plan.rel.TableProcess;
import io.rowtime.plan.rel.TopN;
import io.rowtime.plan.rel.UpdatingJoin;
import io.rowtime.plan.rel.UpdatingOver;
import io.rowtime.plan.rel.WindowedInput;
import io.rowtime.plan.rewrite.MissingBounds;
import io.rowtime.plan.rewrite.SetOperations;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.calcite.rel.RelFieldCollation;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Aggregate;
import org.apache.calcite.rel.core.AsofJoin;
import org.apache.calcite.rel.core.Filter;
import org.apache.calcite.rel.core.Join;
import org.apache.calcite.rel.core.JoinRelType;
import org.apache.calcite.rel.core.Project;
import org.apache.calcite.rel.core.SetOp;
import org.apache.calcite.rel.core.Sort;
import org.apache.calcite.rel.core.TableFunctionScan;
import org.apache.calcite.rel.core.TableScan;
import org.apache.calcite.rel.core.Union;
import org.apache.calcite.rel.core.Window;
import org.apache.calcite.rel.type.RelDataTypeField;
import org.apache.calcite.sql.parser.SqlParserPos;

/**
 * Refuses streaming queries that could never make progress, or whose state could grow without bound. It checks the plan
 * that runs.
 */
public final class ProgressRules {
  /** The code of rows that can change, where nobody reads their changes. */
  static final String CHANGES = "RT0216";

  private final PlannedQuery plan;
  private final StreamingNodes streams;
  private final OrderAnalysis orders;
  private final SqlParserPos statement;
  private final boolean mayChange;
  private final List<Diagnostic> diagnostics = new ArrayList<>();

  /**
   * @param statement the position of the statement
   * @param mayChange whether the result may change
   */
  public ProgressRules(PlannedQuery plan, SqlParserPos statement, boolean mayChange) {
    this.plan = plan;
    this.streams = plan.streams();
    this.orders = plan.orders();
    this.statement = statement;
    this.mayChange = mayChange;
  }

  public List<Diagnostic> check() {
    visit(plan.rel(), mayChange);
    if (diagnostics.stream().anyMatch(found -> found.code().equals(CHANGES))) {
      // Rows that can be retracted have no time, which says nothing of the operators above them.
      diagnostics.removeIf(found -> found.isError() && !found.code().equals(CHANGES));
      return diagnostics;
    }
    result(plan.rel());
    Plans.nodes(plan.rel()).filter(rel -> StateTtl.of(rel) != null).forEach(this::limited);
    Plans.nodes(plan.rel()).filter(rel -> streams.contains(rel) && Changelogs.isChangelog(rel)).forEach(rel -> changelog((TableFunctionScan) rel));
    return diagnostics;
  }

  /** Checks the ROWTIME of the result, whatever operator the part of the query that gives it has become. */
  private void result(RelNode rel) {
    if (!streams.contains(rel)) {
      return;
    }
    if (rel instanceof Filter || rel instanceof Sort) {
      result(rel.getInput(0));
    } else if (rel instanceof Project project) {
      project(project, true);
      if (RowtimeRules.passes(project)) {
        result(project.getInput());
      }
    }
  }

  /** @param changelog whether the rows feed TO_CHANGELOG, or a table that gets changes, so they may update earlier results */
  private void visit(RelNode rel, boolean changelog) {
    if (!streams.contains(rel)) {
      return;
    }
    if (rel instanceof Aggregate aggregate && inStatement(rel, SetOp.class)) {
      if (!changelog) {
        distinct(aggregate, aggregate.getInput(), SetOperations.name(aggregate));
      }
    } else if (rel instanceof Aggregate aggregate && !changelog && inStatement(rel, Aggregate.class)) {
      aggregate(aggregate);
    } else if (rel instanceof AppliedChangelog applied && !changelog) {
      error(CHANGES, rel, "The rows of " + applied.name() + " of a stream can change with each row that arrives", "read the changes of the result, by TO_CHANGELOG((SELECT …));"
          + " a pump can also insert the result into a table with a PRIMARY KEY");
    } else if (rel instanceof ChangeScan && !changelog) {
      error(CHANGES, rel, "The rows of a table can change with each commit", "read its changes, by TO_CHANGELOG");
    } else if (rel instanceof Sort sort) {
      sort(sort);
    } else if (rel instanceof Join join && (inStatement(rel, Join.class) || !join.getJoinType().projectsRight())) {
      join(join, changelog);
    } else if (rel instanceof Project project && inStatement(rel, Project.class)) {
      // Rows of a result that changes have no time, so a column with that name is one like any other.
      if (!changelog || orders.of(project.getInput()).hasClock()) {
        project(project, false);
      }
    } else if (rel instanceof Window window && !(rel instanceof UpdatingOver)) {
      window(window);
    } else if (rel instanceof TableProcess process && process.function().stateTtl() == null && !process.partition().isEmpty()) {
      add(Diagnostic.warning("RT0250", plan.origins().place(rel, statement), "State is kept for every value of PARTITION BY that ever occurs, unless "
          + process.function().getName() + " clears it or gives it a time to live", "create the function with OPTIONS (state_ttl '24 HOURS')"));
    } else if (rel instanceof SessionWindows sessions) {
      sessions(sessions);
    } else if (!changelog && rel instanceof SetOp setOp && !(setOp instanceof Union)) {
      distinct(setOp, setOp, setOp.kind.sql);
    }
    boolean updates = changelog || Changelogs.isChangelog(rel);
    add(plan.origins().place(rel, statement), new CurrentTimeRules(plan).check(rel, changelog));
    for (RelNode input : rel.getInputs()) {
      visit(input, updates);
    }
  }

  /**
   * Returns whether the statement contains this operator itself, and it is not the rewritten form of something else: a
   * sub-query becomes joins and aggregates.
   */
  private boolean inStatement(RelNode rel, Class<? extends RelNode> kind) {
    return plan.origins().of(rel).kind() == kind;
  }

  private void aggregate(Aggregate aggregate) {
    NodeOrder input = orders.of(aggregate.getInput());
    List<Integer> progress = GroupingSets.progressing(aggregate, input);
    if (aggregate instanceof SessionAggregate sessions && !input.fields().get(sessions.timeKey()).monotonicity().increasing()) {
      error("RT0201", aggregate, "SESSION of a stream requires an increasing time, or no session would ever end",
          "make sessions by ROWTIME, or declare the column MONOTONIC or with a LATENESS");
    } else if (progress.isEmpty() && aggregate.getGroupType() != Aggregate.Group.SIMPLE) {
      error("RT0201", aggregate, "Streaming aggregation requires at least one monotonic expression in every grouping set",
          "put a monotonic time beside ROLLUP or CUBE, as in GROUP BY FLOOR(ROWTIME TO HOUR), ROLLUP (a, b), or into each of the GROUPING SETS");
    } else if (progress.isEmpty()) {
      error("RT0201", aggregate, "Streaming aggregation requires at least one monotonic expression in GROUP BY clause",
          inSubQuery(aggregate) ? "join the sub-query in FROM instead, grouped by a monotonic time such as FLOOR(ROWTIME TO HOUR) as well"
              : aggregate.getGroupCount() == 0 ? "group by a monotonic time, such as GROUP BY FLOOR(ROWTIME TO HOUR); OVER gives a value for each row"
              : "also group by a monotonic time, such as FLOOR(ROWTIME TO HOUR); or read the changes of the result, by TO_CHANGELOG((SELECT …));"
                  + " a pump can also insert the result into a table with a PRIMARY KEY");
    } else if (progress.stream().allMatch(key -> field(aggregate.getInput(), key).getType().isNullable())) {
      error("RT0204", aggregate, "The only monotonic expression in GROUP BY clause can be NULL, but the group of NULL would never be complete",
          "declare the column NOT NULL, or group by ROWTIME as well");
    }
  }

  /**
   * Returns whether a node belongs to a scalar sub-query, which has become the right side of a join that the statement
   * does not contain.
   */
  private boolean inSubQuery(RelNode rel) {
    return Plans.nodes(plan.rel()).anyMatch(join -> join instanceof Join && !inStatement(join, Join.class)
        && Plans.nodes(join.getInput(1)).anyMatch(node -> node == rel));
  }

  private void sessions(SessionWindows sessions) {
    if (!orders.of(sessions.getInput()).fields().get(sessions.time()).monotonicity().increasing()) {
      error("RT0201", sessions, "SESSION of a stream requires an increasing time: with column '" + field(sessions, sessions.time()).getName()
          + "', no session would ever end", "name ROWTIME in the first DESCRIPTOR, or declare the column MONOTONIC or with a LATENESS");
    }
  }

  private void sort(Sort sort) {
    if (sort.offset != null || sort.fetch != null) {
      error("RT0203", sort, "Streaming ORDER BY cannot have OFFSET, LIMIT or FETCH",
          "a stream has no end to count from: remove the clause, or select without STREAM");
      return;
    }
    RelFieldCollation leading = sort.getCollation().getFieldCollations().get(0);
    Monotonicity order = orders.of(sort.getInput()).fields().get(leading.getFieldIndex()).monotonicity();
    boolean ok = leading.getDirection().isDescending() ? order.decreasing() : order.increasing();
    if (!ok) {
      boolean backwards = order.makesProgress();
      error("RT0202", sort, "Streaming ORDER BY must start with monotonic expression",
          backwards ? "the leading key has the opposite direction: the first row of the result would be the last to arrive; leave DESC out, "
              + "or select without STREAM"
              : "put ROWTIME, or a function of it that never goes back, first");
    }
  }

  /** Checks that STATE_TTL limits what would be kept for ever, and that rows have a time to go by. */
  private void limited(RelNode rel) {
    if (!streams.contains(rel)) {
      error("RT0217", rel, "STATE_TTL applies only to a streaming query", "leave it out: a relation is computed once, and keeps nothing");
    } else if (rel instanceof Window) {
      error("RT0217", rel, "STATE_TTL limits for how long the first rows of partitions of a result that changes are kept, and this is none", "let a condition select the"
          + " first rows, such as QUALIFY ROW_NUMBER() OVER (…) = 1, and read the changes of the result, by TO_CHANGELOG((SELECT …)), or keep it in a table with a"
          + " PRIMARY KEY; or leave the hint out");
    } else if (isComplete(rel)) {
      error("RT0217", rel, "STATE_TTL limits for how long " + (rel instanceof TopN ? "partitions" : "groups") + " are kept, and these are dropped when they are complete",
          "leave it out");
    } else if (!orders.of(rel.getInput(0)).hasClock() || rel instanceof TopN rows && rows.partitions() == TopN.Partitions.CHANGE) {
      error("RT0217", rel, "STATE_TTL goes by ROWTIME, and the rows that are " + (rel instanceof TopN ? "ranked" : "grouped") + " here have none",
          "a result that changes has no ROWTIME: put the hint into the query below that reads the stream");
    }
  }

  /** Returns whether the groups or partitions of a node are complete at some time. */
  private boolean isComplete(RelNode rel) {
    return rel instanceof TopN rows ? rows.partitions() == TopN.Partitions.END
        : rel instanceof SessionAggregate || !GroupingSets.progressing((Aggregate) rel, orders.of(rel.getInput(0))).isEmpty();
  }

  /** Checks that the key of an upsert identifies a row. */
  private void changelog(TableFunctionScan changelog) {
    List<Integer> onKey = Changelogs.onKey(changelog);
    RelNode input = changelog.getInput(0);
    List<Integer> unique = Changelogs.uniqueKey(input);
    if (onKey != null && !Changelogs.identify(onKey, input)) {
      error("RT0215", changelog, "Several rows can be equal in the columns of on_key (" + names(input, onKey) + "), so they cannot say which row a change is of",
          unique == null ? "leave on_key out: the changes then have the earlier rows too; or group by the key"
              : "name the unique key of the rows, as in on_key => DESCRIPTOR(" + names(input, unique) + ")");
    }
  }

  private static String names(RelNode rel, List<Integer> columns) {
    return columns.stream().map(column -> field(rel, column).getName()).collect(Collectors.joining(", "));
  }

  /** Joins that are bounded in time, that update their result, or that are with a relation have become other operators before. */
  private void join(Join join, boolean changelog) {
    boolean left = streams.contains(join.getLeft());
    if (!left || !streams.contains(join.getRight())) {
      lookup(join, changelog, left);
      return;
    }
    if (join instanceof IntervalJoin || join instanceof UpdatingJoin || join instanceof AsofJoin) {
      return;
    }
    MissingBounds missing = MissingBounds.of(join, orders);
    boolean windows = join.getInputs().stream().anyMatch(WindowedInput.class::isInstance);
    if (changelog && !windows && JoinKeys.of(join.getLeft(), join.getRight(), join.getCondition()).left().isEmpty()) {
      error("RT0205", join, "Cannot join two whole streams without an equality: every row of one would be compared with every row of the other",
          "compare a column or an expression of each by =, or limit the distance of their ROWTIMEs from both sides");
      return;
    }
    error("RT0205", join, missing.message(), missing.hint());
  }

  private void lookup(Join join, boolean changelog, boolean streamOnLeft) {
    if (LookupJoin.preservesRelation(join.getJoinType(), streamOnLeft)) {
      String outer = streamOnLeft ? "LEFT" : "RIGHT";
      String table = changelog ? changingTable(join.getInput(streamOnLeft ? 1 : 0)) : null;
      error("RT0210", join, "Cannot return the unmatched rows of a table: the stream has no end, so a match may still arrive",
          table != null ? "to follow the changes of the table, join FROM_CHANGELOG(TO_CHANGELOG(" + table + ")); or make it a " + outer + " or an INNER JOIN"
              : join.getJoinType() == JoinRelType.FULL ? "make it a " + outer + " JOIN, which keeps all rows of the stream; or select without STREAM"
              : "make it a " + outer + " or an INNER JOIN; or select without STREAM");
    }
  }

  /** Returns the name of the table that a relation reads, if its changes can be read; else null. */
  private static String changingTable(RelNode relation) {
    List<CatalogTable> tables = Plans.nodes(relation).filter(TableScan.class::isInstance)
        .map(scan -> scan.getTable().unwrap(CatalogTable.class)).toList();
    CatalogTable table = tables.size() == 1 ? tables.get(0) : null;
    return table != null && table.object().hasChanges() ? table.object().name() : null;
  }

  /** @param rows the node whose rows are compared */
  private void distinct(RelNode rel, RelNode rows, String name) {
    boolean progress = rows.getInputs().stream().allMatch(input -> orders.of(input).fields().stream()
        .anyMatch(f -> f.monotonicity().makesProgress()));
    if (!progress) {
      error("RT0201", rel, name + " of streams requires at least one monotonic column: all rows would have to be kept to compare them",
          "select ROWTIME, or a function of it, as well; or use UNION ALL");
    }
  }

  private void project(Project project, boolean result) {
    add(plan.origins().rowtime(project, statement), new RowtimeRules(orders).check(project, result));
  }

  private void window(Window window) {
    OverRules rules = new OverRules(orders.of(window.getInput()));
    SqlParserPos place = plan.origins().place(window, statement);
    window.groups.forEach(group -> rules.check(group).forEach(problem -> add(place, problem)));
  }

  private static RelDataTypeField field(RelNode rel, int index) {
    return rel.getRowType().getFieldList().get(index);
  }

  private void error(String code, RelNode rel, String message, String hint) {
    add(Diagnostic.error(code, plan.origins().place(rel, statement), message, hint));
  }

  /** @param problem null if there is none */
  private void add(SqlParserPos place, Problem problem) {
    if (problem != null) {
      add(problem.warning() ? Diagnostic.warning(problem.code(), place, problem.message(), problem.hint())
          : Diagnostic.error(problem.code(), place, problem.message(), problem.hint()));
    }
  }

  /** Calcite may split one call into several, each of which would report the same error. */
  private void add(Diagnostic diagnostic) {
    if (!diagnostics.contains(diagnostic)) {
      diagnostics.add(diagnostic);
    }
  }
}
