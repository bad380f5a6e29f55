package io.rowtime.plan;

import io.rowtime.catalog.CatalogObject;
import io.rowtime.catalog.CatalogTable;
import io.rowtime.catalog.StoredSql;
import io.rowtime.diagnostic.Diagnostic;
import io.rowtime.diagnostic.DiagnosticException;
import io.rowtime.plan.constant.Distances;
import io.rowtime.plan.convert.QueryExpansion;
import io.rowtime.plan.convert.RowtimeConverter;
import io.rowtime.plan.convert.StateTtlHint;
import io.rowtime.plan.convert.UntypedNulls;
import io.rowtime.plan.exchange.RelPlanReader;
import io.rowtime.plan.exchange.RelStreamRules;
import io.rowtime.plan.monotone.StreamingNodes;
import io.rowtime.plan.node.Fallible;
import io.rowtime.plan.origin.Clauses;
import io.rowtime.plan.origin.Origins;
import io.rowtime.plan.physical.PhysicalPlanner;
import io.rowtime.plan.progress.ClockChoice;
import io.rowtime.plan.progress.JoinRules;
import io.rowtime.plan.progress.PlannedQuery;
import io.rowtime.plan.progress.ProgressRules;
import io.rowtime.plan.rel.LatenessFilter;
import io.rowtime.plan.rel.Plans;
import io.rowtime.plan.rewrite.ElementQueries;
import io.rowtime.plan.rewrite.PlanRewrites;
import io.rowtime.plan.rewrite.Unnesting;
import io.rowtime.validate.Environment;
import io.rowtime.validate.RowtimeValidator;
import io.rowtime.validate.ValidationErrors;
import io.rowtime.validate.desugar.Desugaring;
import io.rowtime.validate.desugar.StreamKeyword;
import io.rowtime.validate.desugar.TemporalTables;
import io.rowtime.validate.rules.ImplicitCasts;
import io.rowtime.validate.rules.NullComparisons;
import io.rowtime.validate.rules.RunningValues;
import io.rowtime.validate.rules.StreamRules;
import io.rowtime.validate.rules.UnusedHints;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.calcite.plan.RelOptCluster;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.RelRoot;
import org.apache.calcite.rel.core.TableScan;
import org.apache.calcite.rel.core.Values;
import org.apache.calcite.rel.logical.LogicalProject;
import org.apache.calcite.rel.stream.Delta;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlSelect;
import org.apache.calcite.sql.parser.SqlParserPos;

/** Turns the syntax tree of a query into its checked relational plan. */
public final class QueryPlanner {
  private final Environment environment;
  /** Of the current statement. */
  private QueryExpansion expansion = new QueryExpansion();

  public QueryPlanner(Environment environment) {
    this.environment = environment;
  }

  /**
   * Plans a query.
   *
   * @param query syntax tree; it is changed in place
   * @throws DiagnosticException with every error that could be found
   */
  public PlannedQuery plan(SqlNode query) {
    return plan(query, false);
  }

  /**
   * Plans a query, as {@link #plan(SqlNode)} does.
   *
   * @param mayChange whether a streaming query may have a result that changes, because a table gets the changes
   */
  public PlannedQuery plan(SqlNode query, boolean mayChange) {
    expansion = new QueryExpansion();
    boolean streaming = StreamKeyword.isStreaming(query);
    List<Diagnostic> errors = new ArrayList<>(StreamRules.check(environment.catalog(), query, streaming));
    List<Diagnostic> ofChanges = mayChange && streaming && !errors.isEmpty() ? StreamRules.checkOfChanges(environment.catalog(), query) : errors;
    SqlParserPos place = query.getParserPosition();
    Origins origins = new Origins();
    RunningValues running = RunningValues.of(query);
    List<Diagnostic> warnings = TemporalTables.hints(query);
    warnings.addAll(NullComparisons.warnings(query));
    warnings.addAll(UnusedHints.warnings(query));
    RowtimeValidator validator = environment.validator();
    RelNode rel;
    try {
      rel = convert(query, validator, environment.cluster(), null, origins, warnings);
    } catch (RuntimeException e) {
      if (errors.isEmpty()) {
        throw e;
      }
      // An error about a source that is read the wrong way (as a stream or as a relation) comes first, then the
      // validator's own errors.
      errors.addAll(new ValidationErrors(environment.catalog()).of(e, place).stream().filter(d -> !overlaps(d, errors)).toList());
      throw new DiagnosticException(errors);
    }
    if (ofChanges.isEmpty() && !PlanRewrites.readsStream(rel)) {
      // No stream brings rows, so those of tables are streams of changes.
      errors.clear();
    }
    if (!errors.isEmpty()) {
      throw new DiagnosticException(errors);
    }
    warnings.addAll(running.warnings(validator.orderedByRowtime()));
    return checkProgress(finish(rel, streaming, origins, warnings, mayChange), place, mayChange);
  }

  /**
   * Plans a query that another program has converted; see {@link RelPlanReader}. A query below a {@code LogicalDelta}
   * is a streaming query.
   *
   * @throws DiagnosticException with the reason why it cannot run; the diagnostic has no position in a text
   */
  public PlannedQuery plan(String relJson) {
    expansion = new QueryExpansion();
    RelOptCluster cluster = environment.cluster();
    Origins origins = new Origins();
    RelNode read = RelPlanReader.read(environment, cluster, relJson);
    boolean streaming = read instanceof Delta;
    RelNode rel = origins.rewrite(streaming ? read.getInput(0) : read, node -> expandView(node, cluster, origins));
    List<Diagnostic> errors = RelStreamRules.check(rel, streaming);
    if (!errors.isEmpty()) {
      throw new DiagnosticException(errors);
    }
    return checkProgress(finish(rel, streaming, origins, new ArrayList<>(), false), SqlParserPos.ZERO, false);
  }

  /** Replaces the scan of a view by the view's query. */
  private RelNode expandView(RelNode node, RelOptCluster cluster, Origins origins) {
    CatalogTable table = node instanceof TableScan scan ? scan.getTable().unwrap(CatalogTable.class) : null;
    return table != null && table.object().isView() ? expand(table.object(), cluster, SqlParserPos.ZERO, origins) : node;
  }

  /** Checks that a plan makes progress, and returns it with any warnings about that. */
  private static PlannedQuery checkProgress(PlannedQuery plan, SqlParserPos place, boolean mayChange) {
    List<Diagnostic> errors = new ArrayList<>();
    List<Diagnostic> warnings = plan.warnings();
    for (Diagnostic d : new ProgressRules(plan, place, mayChange).check()) {
      (d.isError() ? errors : warnings).add(d);
    }
    if (errors.isEmpty()) {
      JoinRules.check(plan, place).forEach(d -> (d.isError() ? errors : warnings).add(d));
    }
    if (errors.isEmpty() && plan.streaming() && !plan.streams().contains(plan.rel())
        && Plans.nodes(plan.rel()).anyMatch(rel -> rel instanceof Values values && values.getTuples().isEmpty())) {
      // Calcite leaves out the inputs of a join that has no rows.
      errors.add(Diagnostic.error("RT0106", place, "Cannot stream results of a query with no streaming inputs: a condition is FALSE for all rows",
          "change the condition of the join"));
    }
    if (!errors.isEmpty()) {
      throw new DiagnosticException(errors);
    }
    return plan;
  }

  /**
   * Plans the body of a view: as a stream if possible, else as a relation. STREAM in the body has no effect. Errors
   * about progress are reported for the queries that read the view, not here.
   */
  public PlannedQuery planView(SqlNode query) {
    expansion = new QueryExpansion();
    boolean streaming = StreamRules.streamable(environment.catalog(), query);
    if (!streaming) {
      List<Diagnostic> errors = StreamRules.check(environment.catalog(), query, false);
      if (!errors.isEmpty()) {
        throw new DiagnosticException(errors);
      }
    }
    Origins origins = new Origins();
    List<Diagnostic> warnings = NullComparisons.warnings(query);
    warnings.addAll(UnusedHints.ofView(query));
    RelNode rel = convert(query, environment.validator(), environment.cluster(), null, origins, warnings);
    return finish(rel, streaming, origins, warnings, false);
  }

  /**
   * Returns the plan of a view's body as TO_CHANGELOG and tables with a PRIMARY KEY read it: its result may change.
   *
   * @param view the plan of the same body by {@link #planView}
   */
  public PlannedQuery withChanges(PlannedQuery view) {
    return finish(view.converted(), view.streaming(), view.origins(), view.warnings(), true)
        .withUpserts(PlannedQuery.Upserts.NOWHERE);
  }

  /**
   * Returns the plan of a view that is read as a relation, for another planner that uses Calcite: the result scans
   * tables of the catalog, and views inside it are expanded.
   *
   * @param cluster the caller's cluster, with the type factory of the environment
   * @throws DiagnosticException if the view can only be read as a stream
   */
  public RelNode relation(CatalogObject view, RelOptCluster cluster) {
    List<Diagnostic> errors = StreamRules.check(environment.catalog(), StoredSql.query(view), false);
    if (!errors.isEmpty()) {
      throw new DiagnosticException(errors);
    }
    return expand(view, cluster, SqlParserPos.ZERO, new Origins());
  }

  /** Returns the plan of a query with its rows cast to {@code target}, as an INSERT needs them. */
  public PlannedQuery cast(PlannedQuery query, RelDataType target) {
    return above(query, RelOptUtil.createCastRel(query.rel(), target, true));
  }

  /** Returns the plan of a projection of a query. */
  public PlannedQuery project(PlannedQuery query, List<RexNode> fields, List<String> names) {
    return above(query, LogicalProject.create(query.rel(), List.of(), fields, names, Set.of()));
  }

  /** Returns the plan of nodes on top of a query. They have the origin of the query's root node. */
  private static PlannedQuery above(PlannedQuery query, RelNode rel) {
    return toPlannedQuery(query.converted(), query.origins().recordReplacement(query.rel(), rel), query.streaming(), query.origins(), query.warnings());
  }

  private static PlannedQuery finish(RelNode rel, boolean streaming, Origins origins, List<Diagnostic> warnings, boolean mayChange) {
    PlannedQuery logical = toPlannedQuery(rel, PlanRewrites.apply(rel, streaming, origins, mayChange), streaming, origins, warnings);
    RelNode physical = PhysicalPlanner.plan(logical, mayChange);
    return physical == logical.rel() ? logical : toPlannedQuery(rel, physical, streaming, origins, warnings);
  }

  private static PlannedQuery toPlannedQuery(RelNode converted, RelNode plan, boolean streaming, Origins origins, List<Diagnostic> warnings) {
    StreamingNodes streams = StreamingNodes.of(plan, streaming);
    return new PlannedQuery(converted, plan, streaming, streams, ClockChoice.orders(plan, streams), origins, warnings, null,
        Fallible.OnError.FAIL);
  }

  private RelNode convert(SqlNode query, RowtimeValidator validator, RelOptCluster cluster, SqlParserPos place, Origins origins,
      List<Diagnostic> warnings) {
    StateTtlHint.check(query);
    SqlNode resolved = Desugaring.resolve(query, environment.catalog());
    Map<SqlSelect, Clauses> clauses = Clauses.of(resolved);
    if (place == null) {
      clauses.keySet().forEach(origins::addQuery);
    }
    SqlNode validated = validator.validate(resolved);
    warnings.addAll(ImplicitCasts.warnings(validated, validator));
    RowtimeConverter converter = new RowtimeConverter(validator, environment.reader(), cluster,
        (view, reference, all) -> expand(view, cluster, reference, all), expansion, place, origins, clauses);
    RelRoot root;
    try {
      root = converter.convertQuery(validated, false, true);
    } catch (AssertionError e) {
      UntypedNulls.blame(e, validated);
      throw e;
    }
    RelNode rel = origins.recordReplacement(root.rel, RowtimeConverter.named(root.project(), root.fields.rightList()));
    return Unnesting.apply(ElementQueries.apply(rel, origins), origins);
  }

  /** Returns a view's query, with the column names and types of the catalog. */
  private RelNode expand(CatalogObject view, RelOptCluster cluster, SqlParserPos reference,
      Origins origins) {
    expansion.enterView(reference);
    RelNode body;
    try {
      body = convert(StoredSql.query(view), environment.validator(), cluster, reference, origins, new ArrayList<>());
    } finally {
      expansion.leaveView();
    }
    RelDataType rowType = environment.reader().getTable(view.path()).getRowType();
    RelNode named = RelOptUtil.createCastRel(body, rowType, true);
    Map<Integer, BigDecimal> lateness = new LinkedHashMap<>();
    environment.catalog().latenessOfView(view.name()).forEach((column, value) ->
        lateness.put(rowType.getFieldNames().indexOf(column), Distances.of(value)));
    lateness.remove(-1);
    return lateness.isEmpty() ? named
        : new LatenessFilter(cluster, named.getTraitSet(), named, lateness);
  }

  private static boolean overlaps(Diagnostic d, List<Diagnostic> others) {
    return others.stream().anyMatch(o -> o.line() == d.line() && o.column() == d.column());
  }
}
