package io.rowtime.plan.json;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.rowtime.catalog.CatalogObject;
import io.rowtime.catalog.TypeText;
import io.rowtime.plan.clock.ClockStep;
import io.rowtime.plan.clock.Modulus;
import io.rowtime.plan.convert.RecursionRules;
import io.rowtime.plan.monotone.FieldOrder;
import io.rowtime.plan.monotone.Monotonicity;
import io.rowtime.plan.monotone.NodeOrder;
import io.rowtime.plan.physical.NodeProperties;
import io.rowtime.plan.physical.PlanOperator;
import io.rowtime.plan.progress.PlannedQuery;
import io.rowtime.plan.progress.StateBounds;
import io.rowtime.plan.rel.HopWindows;
import io.rowtime.plan.rel.IntervalJoin;
import io.rowtime.plan.rel.LatenessFilter;
import io.rowtime.plan.rel.LookupJoin;
import io.rowtime.plan.rel.SearchKeyJoin;
import io.rowtime.plan.rel.SessionWindows;
import io.rowtime.plan.rel.TableProcess;
import io.rowtime.plan.rel.TemporalJoin;
import io.rowtime.plan.rel.TopN;
import io.rowtime.plan.rel.Unnest;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiConsumer;
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
import org.apache.calcite.rel.core.TableScan;
import org.apache.calcite.rel.core.Union;
import org.apache.calcite.rel.core.Values;
import org.apache.calcite.rel.core.Window;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeField;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.type.SqlTypeUtil;

/**
 * Writes a plan as the JSON of the plan contract. A table maps each relational operator to the method that writes it.
 */
public final class PlanWriter {
  static final JsonNodeFactory JSON = JsonNodeFactory.instance;

  private final PlannedQuery plan;
  private final RexWriter rex;
  private final StateBounds bounds;
  private final List<Entry<?>> entries;
  private final Set<String> notSupported = new TreeSet<>();
  private final Set<String> untraced = new TreeSet<>();
  /** The ids of the recursions that enclose the current node, by name. */
  private final Map<String, Integer> recursions = new HashMap<>();
  private int recursionCount;
  private int nextId = 1;

  public PlanWriter(PlannedQuery plan) {
    this.plan = plan;
    this.rex = new RexWriter(plan.rel().getCluster().getRexBuilder());
    this.bounds = new StateBounds(plan);
    this.entries = entries();
  }

  /** Maps a class of nodes to one operator and the method that writes its fields. */
  private record Entry<R extends RelNode>(Class<R> rel, PlanOperator operator, BiConsumer<ObjectNode, R> fields) {
    void write(ObjectNode json, RelNode node) {
      fields.accept(json, rel.cast(node));
    }
  }

  /** The first entry that matches a node's class applies. Windows and GROUP BY choose their operators themselves. */
  private List<Entry<?>> entries() {
    ScanWriter scans = new ScanWriter(this, plan);
    JoinWriter joins = new JoinWriter(this, plan);
    SetOpWriter sets = new SetOpWriter(this, plan);
    TableFunctionWriter functions = new TableFunctionWriter(this, plan);
    return List.of(
        new Entry<>(TableScan.class, PlanOperator.SCAN, scans::write),
        new Entry<>(LatenessFilter.class, PlanOperator.LATENESS, scans::write),
        new Entry<>(Values.class, PlanOperator.VALUES, (json, values) -> json.set("rows", rows(values))),
        new Entry<>(Project.class, PlanOperator.PROJECT, (json, project) -> json.set("exprs", rex.writeAll(project.getProjects()))),
        new Entry<>(Filter.class, PlanOperator.FILTER, (json, filter) -> json.set("condition", rex.write(filter.getCondition()))),
        new Entry<>(Union.class, PlanOperator.UNION, sets::write),
        new Entry<>(SetOp.class, PlanOperator.SETOP, sets::write),
        new Entry<>(Sort.class, PlanOperator.SORT, new SortWriter(this, plan)::write),
        new Entry<>(TopN.class, PlanOperator.TOP_N, new TopNWriter(this, plan)::write),
        new Entry<>(IntervalJoin.class, PlanOperator.INTERVAL_JOIN, joins::write),
        new Entry<>(LookupJoin.class, PlanOperator.LOOKUP_JOIN, joins::write),
        new Entry<>(Join.class, PlanOperator.JOIN, joins::write),
        new Entry<>(TemporalJoin.class, PlanOperator.TEMPORAL_JOIN, joins::write),
        new Entry<>(SearchKeyJoin.class, PlanOperator.SEARCH_KEY, joins::write),
        new Entry<>(HopWindows.class, PlanOperator.HOP, functions::write),
        new Entry<>(SessionWindows.class, PlanOperator.SESSION, functions::write),
        new Entry<>(Unnest.class, PlanOperator.UNNEST, functions::write),
        new Entry<>(TableProcess.class, PlanOperator.PROCESS, functions::write),
        new Entry<>(Sample.class, PlanOperator.SAMPLE, this::sample),
        new Entry<>(RelNode.class, PlanOperator.UNSUPPORTED, new UnsupportedWriter(this)::write));
  }

  /** Returns the tree of nodes. */
  public ObjectNode write() {
    ObjectNode root = node(plan.rel());
    if (plan.rowtimeGoesBack()) {
      // A bound of the result would be a bound of its ROWTIME.
      root.putNull("clock");
    }
    NodeProperties.write(root);
    return root;
  }

  /** Returns the columns of the result. */
  public ArrayNode fields() {
    return fields(plan.rel(), plan.orders().of(plan.rel()));
  }

  /** Returns the constructs that are valid but cannot run yet; empty if the whole plan can run. */
  public List<String> notSupported() {
    rex.unsupported().forEach(op -> notSupported.add("the function or operator " + op));
    notSupported.addAll(rex.reasons());
    return List.copyOf(notSupported.isEmpty() ? untraced : notSupported);
  }

  /** Writes a node and everything below it. */
  ObjectNode node(RelNode rel) {
    if (rel instanceof Window window) {
      return new WindowWriter(this, plan).write(window);
    }
    if (rel instanceof Aggregate aggregate) {
      return new AggregateWriter(this, plan).write(aggregate);
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
      return open(PlanOperator.RECURSIVE, rel).put("recursion", recursions.get(recursive));
    }
    Entry<?> entry = entries.stream().filter(each -> each.rel.isInstance(rel)).findFirst().orElseThrow();
    ObjectNode json = open(entry.operator, rel);
    entry.write(json, rel);
    return json;
  }

  private ObjectNode recursion(RepeatUnion rel) {
    String name = RecursionRules.name(rel);
    int number = ++recursionCount;
    Integer outer = recursions.put(name, number);
    ObjectNode json = open(PlanOperator.RECURSE, rel).put("recursion", number).put("all", rel.all);
    recursions.put(name, outer);
    refuseIf(plan.streams().contains(rel), "WITH RECURSIVE over a stream");
    return json;
  }

  /**
   * Writes the properties that all nodes have. Inputs are written first, so ids increase from the sources to the
   * result.
   */
  private ObjectNode open(PlanOperator operator, RelNode rel) {
    ArrayNode inputs = JSON.arrayNode();
    rel.getInputs().forEach(i -> inputs.add(node(i)));
    return open(operator, inputs, fields(rel, plan.orders().of(rel)), rel);
  }

  ObjectNode open(PlanOperator operator, ArrayNode inputs, ArrayNode fields, RelNode rel) {
    NodeOrder order = plan.orders().of(rel);
    boolean streaming = plan.streams().contains(rel);
    ObjectNode json = JSON.objectNode().put("op", operator.op()).put("id", nextId++);
    json.set("origin", origin(plan.origins().parts(rel)));
    json.set("inputs", inputs);
    json.set("fields", fields);
    json.put("rowtime", order.rowtime() >= 0 && carriesRowtime(rel) ? rel.getRowType().getFieldNames().get(order.rowtime()) : null);
    json.set("state", bounds.of(rel));
    json.put("streaming", streaming);
    if (streaming) {
      json.set("clock", order.hasClock() ? clock(order.clock()) : NullNode.getInstance());
    }
    json.set("claims", OrderClaims.of(order));
    return json;
  }

  /** Writes positions relative to the statement; whoever knows the file adds the statement's position in it. */
  private static ArrayNode origin(List<SqlParserPos> parts) {
    ArrayNode origin = JSON.arrayNode();
    parts.forEach(part -> origin.addObject().put("line", part.getLineNum()).put("column", part.getColumnNum())
        .put("endLine", part.getEndLineNum()).put("endColumn", part.getEndColumnNum()));
    return origin;
  }

  RexWriter rex() {
    return rex;
  }

  void refuseIf(boolean condition, String what) {
    if (condition) {
      refuse(what);
    }
  }

  void refuse(String what) {
    notSupported.add(what);
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

  private void sample(ObjectNode json, Sample rows) {
    RelOptSamplingParameters sample = rows.getSamplingParameters();
    json.put("fraction", sample.sampleRate).put("seed", sample.isRepeatable() ? sample.getRepeatableSeed() : null);
    refuseIf(plan.streams().contains(rows), "TABLESAMPLE of a stream");
  }

  private ArrayNode rows(Values values) {
    ArrayNode rows = JSON.arrayNode();
    for (List<RexLiteral> tuple : values.tuples) {
      rows.add(rex.writeAll(tuple));
    }
    return rows;
  }

  ArrayNode fields(RelNode rel, NodeOrder order) {
    ArrayNode fields = JSON.arrayNode();
    List<RelDataTypeField> list = rel.getRowType().getFieldList();
    for (int i = 0; i < list.size(); i++) {
      fields.add(field(list.get(i).getName(), list.get(i).getType(), order.fields().get(i)));
    }
    return fields;
  }

  static ObjectNode field(String name, RelDataType type, FieldOrder order) {
    boolean limited = order.disorder() != Modulus.UNLIMITED;
    ObjectNode json = JSON.objectNode().put("name", name).put("type", TypeText.of(type)).put("nullable", type.isNullable())
        .put("monotonicity", (limited ? order.monotonicity() : Monotonicity.NOT_MONOTONIC).name());
    if (limited && order.disorder() > 0 && SqlTypeUtil.isDatetime(type)) {
      json.put("disorder", Duration.ofMillis(order.disorder()).toString());
    }
    return json;
  }

  static ArrayNode clock(List<ClockStep> steps) {
    ArrayNode array = JSON.arrayNode();
    for (ClockStep step : steps) {
      ObjectNode json = array.addObject().put("fn", step.function().name());
      if (step.function() == ClockStep.Function.LOCAL) {
        json.put("zone", step.zone());
      } else if (step.isCalendar()) {
        json.put("unit", step.unit().name());
      } else {
        json.put("millis", step.millis());
        if (step.function() != ClockStep.Function.SHIFT) {
          json.put("offset", step.offset());
        }
      }
    }
    return array;
  }
}
