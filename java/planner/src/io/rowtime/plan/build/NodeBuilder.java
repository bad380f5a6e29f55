package io.rowtime.plan.build;

import io.rowtime.catalog.CatalogObject;
import io.rowtime.catalog.TypeText;
import io.rowtime.plan.clock.Modulus;
import io.rowtime.plan.convert.RecursionRules;
import io.rowtime.plan.monotone.FieldOrder;
import io.rowtime.plan.monotone.Monotonicity;
import io.rowtime.plan.monotone.NodeOrder;
import io.rowtime.plan.node.ChangeModes;
import io.rowtime.plan.node.Claims;
import io.rowtime.plan.node.Column;
import io.rowtime.plan.node.Expression;
import io.rowtime.plan.node.Fallible;
import io.rowtime.plan.node.Operator;
import io.rowtime.plan.node.Place;
import io.rowtime.plan.node.PlanNode;
import io.rowtime.plan.origin.Origin;
import io.rowtime.plan.physical.RetractedRows;
import io.rowtime.plan.progress.PlannedQuery;
import io.rowtime.plan.progress.StateBounds;
import io.rowtime.plan.rel.AppliedChangelog;
import io.rowtime.plan.rel.Changelogs;
import io.rowtime.plan.rel.HopWindows;
import io.rowtime.plan.rel.LatenessFilter;
import io.rowtime.plan.rel.SearchKeyJoin;
import io.rowtime.plan.rel.SessionWindows;
import io.rowtime.plan.rel.TableProcess;
import io.rowtime.plan.rel.TemporalFilter;
import io.rowtime.plan.rel.TemporalJoin;
import io.rowtime.plan.rel.TopN;
import io.rowtime.plan.rel.Unnest;
import io.rowtime.plan.rel.UpdatingOver;
import io.rowtime.validate.ValidationErrors;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import org.apache.calcite.plan.RelOptSamplingParameters;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Aggregate;
import org.apache.calcite.rel.core.Filter;
import org.apache.calcite.rel.core.Join;
import org.apache.calcite.rel.core.Project;
import org.apache.calcite.rel.core.RepeatUnion;
import org.apache.calcite.rel.core.Sample;
import org.apache.calcite.rel.core.SetOp;
import org.apache.calcite.rel.core.Sort;
import org.apache.calcite.rel.core.Spool;
import org.apache.calcite.rel.core.TableFunctionScan;
import org.apache.calcite.rel.core.TableScan;
import org.apache.calcite.rel.core.Union;
import org.apache.calcite.rel.core.Values;
import org.apache.calcite.rel.core.Window;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeField;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.type.SqlTypeUtil;

/**
 * Makes the nodes of the physical plan, each by the rule for its relational operator, and collects what is valid but cannot
 * run yet.
 */
final class NodeBuilder {
  private final PlannedQuery plan;
  private final ExpressionBuilder expressions;
  private final StateBounds bounds;
  private final AggregateRules aggregates;
  private final JoinRules joins;
  private final WindowRules windows;
  private final SortRules sorts;
  private final List<Rule<?>> rules;
  private final Set<String> notSupported = new TreeSet<>();
  private final Map<String, Place> refusedAt = new TreeMap<>();
  private final Set<String> untraced = new TreeSet<>();
  private final Set<String> placed = new HashSet<>();
  /** The numbers of the recursions that enclose the current node, by name. */
  private final Map<String, Integer> recursions = new HashMap<>();
  private int recursionCount;
  /** How many TO_CHANGELOG enclose the current node, which may then retract rows. */
  private int changelogs;
  /** Whether the operators above the current node read its rows in any order. */
  private boolean anyOrder;

  NodeBuilder(PlannedQuery plan) {
    this.plan = plan;
    this.expressions = new ExpressionBuilder(plan.rel().getCluster().getRexBuilder());
    this.bounds = new StateBounds(plan);
    this.aggregates = new AggregateRules(this, plan);
    this.joins = new JoinRules(this, plan);
    this.windows = new WindowRules(this, plan);
    this.sorts = new SortRules(this, plan);
    this.rules = rules();
  }

  /** Makes the operator of a node of one class. */
  private record Rule<R extends RelNode>(Class<R> rel, Function<R, Operator> operator) {
    Operator of(RelNode node) {
      return operator.apply(rel.cast(node));
    }
  }

  /** The first rule that matches a node's class applies. OVER, GROUP BY and SEARCH_KEY make whole nodes. */
  private List<Rule<?>> rules() {
    ScanRules scans = new ScanRules(this, plan);
    TableFunctionRules functions = new TableFunctionRules(this, plan);
    return List.of(
        new Rule<>(TableScan.class, scans::scan),
        new Rule<>(LatenessFilter.class, scans::lateness),
        new Rule<>(Values.class, this::values),
        new Rule<>(SetOp.class, this::setOp),
        new Rule<>(Sort.class, sorts::sort),
        new Rule<>(Join.class, joins::join),
        new Rule<>(TemporalJoin.class, joins::temporal),
        new Rule<>(HopWindows.class, functions::hop),
        new Rule<>(SessionWindows.class, functions::session),
        new Rule<>(Unnest.class, functions::unnest),
        new Rule<>(TableProcess.class, functions::process),
        new Rule<>(Sample.class, this::sample),
        new Rule<>(RelNode.class, new UnsupportedRules(this)::of));
  }

  PlanNode root() {
    PlanNode root = plan.upserts() == null ? node(plan.rel()) : new ChangelogRules(this, plan).applied(plan.rel(), plan.upserts());
    // A bound of the result would be a bound of its ROWTIME.
    return plan.rowtimeGoesBack() ? root.withoutClock() : root;
  }

  /** Returns the columns of the result. */
  List<Column> columns() {
    return columns(plan.rel());
  }

  /** Returns the constructs that are valid but cannot run yet; empty if the whole plan can run. */
  List<String> notSupported() {
    expressions.unsupported().forEach(op -> notSupported.add("the function or operator " + ValidationErrors.withoutInternalNames(op)));
    notSupported.addAll(expressions.reasons());
    return List.copyOf(notSupported.isEmpty() ? untraced : notSupported);
  }

  /** Returns where in the text of the statement those constructs are whose place is known. */
  Map<String, Place> refusedAt() {
    return refusedAt;
  }

  private static Place place(SqlParserPos part) {
    return new Place(part.getLineNum(), part.getColumnNum(), part.getEndLineNum(), part.getEndColumnNum());
  }

  /** Makes a node and everything below it. */
  PlanNode node(RelNode rel) {
    boolean above = anyOrder;
    anyOrder = above && (rel instanceof Project || rel instanceof Filter || rel instanceof Union);
    PlanNode made = made(rel);
    anyOrder = above;
    placeWindows(rel);
    return made;
  }

  /** Notes the places of the windows that were refused for this node; its inputs have been made, and have noted theirs. */
  private void placeWindows(RelNode rel) {
    for (String reason : expressions.windows()) {
      if (placed.add(reason)) {
        Origin origin = plan.origins().of(rel);
        refuse(reason, origin.placeOf(origin.windows().grouped()));
      }
    }
  }

  private PlanNode made(RelNode rel) {
    if (rel instanceof UpdatingOver over) {
      return windows.updating(over);
    }
    if (rel instanceof Window window) {
      return windows.node(window);
    }
    if (rel instanceof Aggregate aggregate) {
      return aggregates.node(aggregate);
    }
    if (rel instanceof TopN rows) {
      boolean updates = rows.partitions() != TopN.Partitions.END;
      return node(rel, updates ? sorts.updatingTopN(rows) : sorts.topN(rows), updates && rows.ttl() == null ? inputsInAnyOrder(rel) : inputs(rel));
    }
    if (rel instanceof Union union) {
      return union(union);
    }
    if (rel instanceof SearchKeyJoin join) {
      return joins.searchKey(join);
    }
    if (Changelogs.isChangelog(rel)) {
      return new ChangelogRules(this, plan).node((TableFunctionScan) rel);
    }
    if (rel instanceof AppliedChangelog changelog) {
      Operator operator = new ChangelogRules(this, plan).fromChangelog(changelog);
      return node(rel, operator, changelog.key() == null ? inputsInAnyOrder(rel) : inputs(rel));
    }
    if (rel instanceof TemporalFilter filter) {
      return node(rel, new Operator.TemporalFilter(limits(filter.enters()), limits(filter.leaves())), inputsInAnyOrder(rel));
    }
    if (rel instanceof Spool) {
      return node(rel.getInput(0));
    }
    if (rel instanceof LatenessFilter && !plan.streams().contains(rel)) {
      // A relational query reads all rows in one step, so no row is late.
      return node(rel.getInput(0));
    }
    if (rel instanceof RepeatUnion recursion) {
      return recursion(recursion);
    }
    String recursive = RecursionRules.recursive(rel);
    if (recursive != null) {
      return node(rel, new Operator.Recursive(recursions.get(recursive)), inputs(rel));
    }
    if (rel instanceof Project project) {
      List<PlanNode> inputs = inputs(rel);
      return node(rel, new Operator.Project(expressions.all(project.getProjects()), fallible(rel, project.getProjects(), inputs, true)), inputs);
    }
    if (rel instanceof Filter filter) {
      List<PlanNode> inputs = inputs(rel);
      return node(rel, new Operator.Filter(expressions.of(filter.getCondition()), fallible(rel, List.of(filter.getCondition()), inputs, false)), inputs);
    }
    Rule<?> rule = rules.stream().filter(each -> each.rel.isInstance(rel)).findFirst().orElseThrow();
    List<PlanNode> inputs = inputs(rel);
    return node(rel, rule.of(rel), inputs);
  }

  private Fallible fallible(RelNode rel, List<RexNode> computed, List<PlanNode> inputs, boolean areColumns) {
    return plan.streams().contains(rel) ? FallibleExpressions.of(computed, inputs.get(0), plan.onError(), areColumns) : Fallible.NOTHING;
  }

  /** Makes the input of a TO_CHANGELOG, and everything below it. */
  PlanNode belowChangelog(RelNode rel) {
    changelogs++;
    PlanNode node = node(rel);
    changelogs--;
    return node;
  }

  boolean isBelowChangelog() {
    return changelogs > 0;
  }

  private static List<Operator.TimeLimit> limits(List<TemporalFilter.Limit> limits) {
    return limits.stream().map(limit -> new Operator.TimeLimit(limit.column(), limit.millis(), limit.after())).toList();
  }

  private PlanNode recursion(RepeatUnion rel) {
    String name = RecursionRules.name(rel);
    int number = ++recursionCount;
    Integer outer = recursions.put(name, number);
    List<PlanNode> inputs = inputs(rel);
    recursions.put(name, outer);
    refuseIf(plan.streams().contains(rel), "WITH RECURSIVE over a stream");
    return node(rel, new Operator.Recurse(rel.all, number), inputs);
  }

  /** Makes UNION, which merges streams unless what reads it needs no order: results that change have none. */
  private PlanNode union(Union union) {
    refuseIf(plan.streams().contains(union) && !union.getInputs().stream().allMatch(plan.streams()::contains), "a set operation of a stream and rows that are not a stream");
    if (!union.all && !plan.streams().contains(union)) {
      refuseMaps(union, "UNION");
    }
    anyOrder |= isBelowChangelog() && new RetractedRows(plan.streams(), plan.orders()).areUnordered(union);
    boolean merges = plan.streams().contains(union) && !anyOrder;
    return node(union, new Operator.Union(union.all, merges ? sorts.mergeTime(union) : null, merges), inputs(union));
  }

  /** Makes the inputs of an operator that reads rows in any order. */
  List<PlanNode> inputsInAnyOrder(RelNode rel) {
    anyOrder = true;
    return inputs(rel);
  }

  List<PlanNode> inputs(RelNode rel) {
    return rel.getInputs().stream().map(this::node).toList();
  }

  /** Makes a node of what is known of a relational operator, and of what has been decided about how it is computed. */
  PlanNode node(RelNode rel, Operator operator, List<PlanNode> inputs) {
    return node(rel, operator, inputs, columns(rel));
  }

  PlanNode node(RelNode rel, Operator operator, List<PlanNode> inputs, List<Column> columns) {
    boolean retracts = inputs.stream().anyMatch(ChangeModes::retracts) && !operator.kind().takesRetractions();
    refuseIf(retracts, operator.kind().name().replace('_', ' ') + " over a result that changes");
    NodeOrder order = plan.orders().of(rel);
    boolean streaming = plan.streams().contains(rel);
    String rowtime = order.rowtime() >= 0 && carriesRowtime(rel) ? rel.getRowType().getFieldNames().get(order.rowtime()) : null;
    List<Place> origin = plan.origins().parts(rel).stream().map(NodeBuilder::place).toList();
    List<Claims.Bound> bounds = new ArrayList<>();
    List<Claims.Ordered> orders = new ArrayList<>();
    for (int i = 0; i < order.fields().size(); i++) {
      FieldOrder field = order.fields().get(i);
      if (field.derivesFromRowtime() && field.monotonicity().increasing()) {
        bounds.add(new Claims.Bound(i, field.steps()));
      }
      if (field.monotonicity() != Monotonicity.NOT_MONOTONIC && field.disorder() != Modulus.UNLIMITED) {
        orders.add(new Claims.Ordered(i, field.disorder()));
      }
    }
    boolean passes = operator instanceof Operator.Union union && !union.merges();
    return new PlanNode(operator, inputs, columns, rowtime, passes && streaming ? StateBounds.SEPARATE_ROWS : this.bounds.of(rel), streaming, streaming && order.hasClock() ? order.clock() : null,
        bounds, orders, origin);
  }

  ExpressionBuilder expressions() {
    return expressions;
  }

  void refuseIf(boolean condition, String what) {
    if (condition) {
      refuse(what);
    }
  }

  void refuse(String what) {
    notSupported.add(what);
  }

  /** Refuses a node, at its place in the text. */
  void refuse(String what, RelNode rel) {
    refuse(what, plan.origins().of(rel).place());
  }

  /** Refuses what is at a place in the text; null if the place is not known. */
  void refuse(String what, SqlParserPos part) {
    refuse(what);
    if (part != null && part.getLineNum() > 0) {
      refusedAt.putIfAbsent(what, place(part));
    }
  }

  /** Refuses a node that cannot be traced back to a clock, unless one of its expressions is refused already. */
  void refuseUntraced(String what) {
    untraced.add(what);
  }

  /**
   * Returns whether the column that is the node's clock is its ROWTIME as well. In tables, times are ordinary columns.
   */
  private boolean carriesRowtime(RelNode rel) {
    int clock = plan.orders().of(rel).rowtime();
    if (clock < 0) {
      return false;
    }
    if (rel.getRowType().getFieldNames().get(clock).equals(CatalogObject.ROWTIME) || rel instanceof Aggregate) {
      return true;
    }
    if (rel instanceof TemporalJoin || rel instanceof SearchKeyJoin) {
      return carriesRowtime(rel.getInput(0));
    }
    return !(rel instanceof TableScan) && plan.orders().clockColumn(rel) < 0
        && rel.getInputs().stream().allMatch(input -> !plan.streams().contains(input) || carriesRowtime(input));
  }

  private Operator sample(Sample rows) {
    refuseIf(plan.streams().contains(rows), "TABLESAMPLE of a stream");
    RelOptSamplingParameters sample = rows.getSamplingParameters();
    return new Operator.Sample(sample.sampleRate, sample.isRepeatable() ? sample.getRepeatableSeed() : null);
  }

  private Operator setOp(SetOp operation) {
    String kind = operation.kind.name();
    // Those of streams have become a GROUP BY, or a changelog that is applied.
    refuseIf(plan.streams().contains(operation), kind + (operation.all ? " ALL" : "") + " of streams");
    refuseMaps(operation, kind);
    return new Operator.SetOp(kind, operation.all);
  }

  private void refuseMaps(SetOp operation, String kind) {
    refuseIf(Untranslated.containsMap(operation.getRowType()), kind + " of rows with a MAP in a relation");
  }

  private Operator values(Values values) {
    List<List<Expression>> rows = new ArrayList<>(values.tuples.size());
    for (List<RexLiteral> tuple : values.tuples) {
      rows.add(expressions.all(tuple));
    }
    return new Operator.Values(rows);
  }

  List<Column> columns(RelNode rel) {
    NodeOrder order = plan.orders().of(rel);
    List<Column> columns = new ArrayList<>();
    List<RelDataTypeField> fields = rel.getRowType().getFieldList();
    for (int i = 0; i < fields.size(); i++) {
      columns.add(column(fields.get(i).getName(), fields.get(i).getType(), order.fields().get(i)));
    }
    return columns;
  }

  private static Column column(String name, RelDataType type, FieldOrder order) {
    boolean limited = order.disorder() != Modulus.UNLIMITED;
    return new Column(name, TypeText.of(type), type.isNullable(), limited ? order.monotonicity() : Monotonicity.NOT_MONOTONIC,
        limited && SqlTypeUtil.isDatetime(type) ? Math.max(0, order.disorder()) : 0);
  }
}
