package io.rowtime.plan.json;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.rowtime.catalog.CatalogColumn;
import io.rowtime.catalog.CatalogObject;
import io.rowtime.catalog.CatalogTable;
import io.rowtime.catalog.TypeText;
import io.rowtime.plan.clock.ClockStep;
import io.rowtime.plan.clock.Closing;
import io.rowtime.plan.convert.RecursionRules;
import io.rowtime.plan.monotone.FieldOrder;
import io.rowtime.plan.monotone.NodeOrder;
import io.rowtime.plan.physical.HistoryNeeds;
import io.rowtime.plan.physical.NodeFacts;
import io.rowtime.plan.progress.Planned;
import io.rowtime.plan.progress.StateBounds;
import io.rowtime.plan.rel.HopWindows;
import io.rowtime.plan.rel.IntervalJoin;
import io.rowtime.plan.rel.LatenessFilter;
import io.rowtime.plan.rel.LookupJoin;
import io.rowtime.plan.rel.Plans;
import io.rowtime.plan.rel.SearchKeyJoin;
import io.rowtime.plan.rel.SessionWindows;
import io.rowtime.plan.rel.SnapshotScan;
import io.rowtime.plan.rel.TableProcess;
import io.rowtime.plan.rel.TemporalJoin;
import io.rowtime.plan.rel.TopN;
import io.rowtime.plan.rel.Unnest;
import io.rowtime.plan.rel.WindowedInput;
import io.rowtime.plan.rewrite.TemporalJoins;
import io.rowtime.validate.ProcessFunction;
import io.rowtime.validate.UserFunction;
import io.rowtime.validate.function.RowtimeOperators;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.apache.calcite.plan.RelOptSamplingParameters;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Aggregate;
import org.apache.calcite.rel.core.Correlate;
import org.apache.calcite.rel.core.Filter;
import org.apache.calcite.rel.core.Intersect;
import org.apache.calcite.rel.core.Join;
import org.apache.calcite.rel.core.Minus;
import org.apache.calcite.rel.core.Project;
import org.apache.calcite.rel.core.RepeatUnion;
import org.apache.calcite.rel.core.Sample;
import org.apache.calcite.rel.core.Sort;
import org.apache.calcite.rel.core.Spool;
import org.apache.calcite.rel.core.TableFunctionScan;
import org.apache.calcite.rel.core.TableScan;
import org.apache.calcite.rel.core.Uncollect;
import org.apache.calcite.rel.core.Union;
import org.apache.calcite.rel.core.Values;
import org.apache.calcite.rel.core.Window;
import org.apache.calcite.rel.logical.LogicalSnapshot;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeField;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.type.SqlTypeFamily;
import org.apache.calcite.sql.type.SqlTypeUtil;

/** Writes a plan as the JSON of the plan contract: one method a relational operator, the longer ones in files of their own. */
public final class PlanWriter {
  static final JsonNodeFactory JSON = JsonNodeFactory.instance;

  private final Planned plan;
  private final RexWriter rex;
  private final StateBounds bounds;
  private final Set<RelNode> fromBeginning;
  private final Map<RelNode, Long> clockShifts;
  private final HistoryNeeds history;
  private final Set<String> notSupported = new TreeSet<>();
  /** The number of the recursion that a name stands for, where the writer is. */
  private final Map<String, Integer> recursions = new HashMap<>();
  private int recursionCount;
  private int nextId = 1;

  public PlanWriter(Planned plan) {
    this.plan = plan;
    this.rex = new RexWriter(plan.rel().getCluster().getRexBuilder());
    this.bounds = new StateBounds(plan);
    this.fromBeginning = TemporalJoins.fromBeginning(plan.rel());
    this.clockShifts = TemporalJoins.clockShifts(plan.rel(), plan.orders());
    this.history = HistoryNeeds.of(plan.rel());
  }

  /** The tree of nodes. */
  public ObjectNode write() {
    ObjectNode root = node(plan.rel());
    if (plan.rowtimeGoesBack()) {
      // A bound of the result would be one of its ROWTIME.
      root.putNull("clock");
    }
    NodeFacts.write(root);
    return root;
  }

  /** The columns of the result. */
  public ArrayNode fields() {
    return fields(plan.rel(), plan.orders().of(plan.rel()));
  }

  /** What the language allows and cannot run yet; empty when all of it runs. */
  public List<String> notSupported() {
    rex.unsupported().forEach(op -> notSupported.add("the function or operator " + op));
    notSupported.addAll(rex.reasons());
    return List.copyOf(notSupported);
  }

  private ObjectNode node(RelNode rel) {
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
      // Of rows that are there already none has come too late: a relational query is one step.
      return node(rel.getInput(0));
    }
    if (rel instanceof RepeatUnion recursion) {
      return recursion(recursion);
    }
    ObjectNode json = open(op(rel), rel);
    boolean streaming = plan.streams().contains(rel);
    String recursive = RecursionRules.recursive(rel);
    if (recursive != null) {
      json.put("recursion", recursions.get(recursive));
    } else if (rel instanceof TableScan scan) {
      scan(json, scan);
    } else if (rel instanceof Project project) {
      json.set("exprs", rex.writeAll(project.getProjects()));
    } else if (rel instanceof Filter filter) {
      json.set("condition", rex.write(filter.getCondition()));
    } else if (rel instanceof Union union) {
      union(json, union);
    } else if (rel instanceof Intersect intersect) {
      json.put("kind", "INTERSECT").put("all", intersect.all);
      refuseIf(streaming, "INTERSECT of streams");
    } else if (rel instanceof Minus minus) {
      json.put("kind", "EXCEPT").put("all", minus.all);
      refuseIf(streaming, "EXCEPT of streams");
    } else if (rel instanceof Sort sort) {
      new SortWriter(this, plan).write(json, sort);
    } else if (rel instanceof Join join) {
      new JoinWriter(this, plan).write(json, join);
    } else if (rel instanceof TemporalJoin join) {
      new JoinWriter(this, plan).write(json, join);
    } else if (rel instanceof SearchKeyJoin join) {
      new JoinWriter(this, plan).write(json, join);
    } else if (rel instanceof Values values) {
      json.set("rows", rows(values));
    } else if (rel instanceof HopWindows hop) {
      json.set("time", rex.write(hop.time()));
      json.put("slide", hop.period().slide()).put("size", hop.period().size()).put("offset", hop.period().offset());
    } else if (rel instanceof SessionWindows sessions) {
      sessions(json, sessions);
    } else if (rel instanceof Unnest unnest) {
      json.set("exprs", rex.writeAll(unnest.collections()));
      json.put("ordinality", unnest.ordinality()).put("outer", unnest.outer());
    } else if (rel instanceof TableProcess process) {
      process(json, process);
    } else if (rel instanceof Sample sample) {
      sample(json, sample.getSamplingParameters());
      refuseIf(streaming, "TABLESAMPLE of a stream");
    } else if (rel instanceof TopN rows) {
      new TopNWriter(this, plan).write(json, rows);
    } else if (rel instanceof LatenessFilter filter) {
      lateness(json, filter);
    } else {
      later(json, rel);
    }
    return json;
  }

  private ObjectNode recursion(RepeatUnion rel) {
    String name = RecursionRules.name(rel);
    int number = ++recursionCount;
    Integer outer = recursions.put(name, number);
    ObjectNode json = open("recurse", rel).put("recursion", number).put("all", rel.all);
    recursions.put(name, outer);
    refuseIf(plan.streams().contains(rel), "WITH RECURSIVE over a stream");
    return json;
  }

  /** What every node has, its inputs written first, so that numbers grow from the sources to the result. */
  private ObjectNode open(String op, RelNode rel) {
    ArrayNode inputs = JSON.arrayNode();
    rel.getInputs().forEach(i -> inputs.add(node(i)));
    return open(op, inputs, fields(rel, plan.orders().of(rel)), rel);
  }

  ObjectNode open(String op, ArrayNode inputs, ArrayNode fields, RelNode rel) {
    NodeOrder order = plan.orders().of(rel);
    boolean streaming = plan.streams().contains(rel);
    ObjectNode json = JSON.objectNode().put("op", op).put("id", nextId++);
    json.set("origin", origin(plan.origins().parts(rel)));
    json.set("inputs", inputs);
    json.set("fields", fields);
    json.put("rowtime", order.rowtime() >= 0 && carriesRowtime(rel) ? rel.getRowType().getFieldNames().get(order.rowtime()) : null);
    json.set("state", bounds.of(rel));
    json.put("streaming", streaming);
    if (streaming) {
      json.set("clock", order.hasClock() ? clock(order.clock()) : NullNode.getInstance());
    }
    return json;
  }

  /** Parts of the text, in its own coordinates; where they stand in a file, who knows the file says. */
  private static ArrayNode origin(List<SqlParserPos> parts) {
    ArrayNode origin = JSON.arrayNode();
    parts.forEach(part -> origin.addObject().put("line", part.getLineNum()).put("column", part.getColumnNum())
        .put("endLine", part.getEndLineNum()).put("endColumn", part.getEndColumnNum()));
    return origin;
  }

  ObjectNode input(RelNode rel) {
    return node(rel);
  }

  RexWriter rex() {
    return rex;
  }

  void refuseIf(boolean condition, String what) {
    if (condition) {
      notSupported.add(what);
    }
  }

  /** Whether the column that is the node's clock is its ROWTIME as well: the times of tables are mere columns. */
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

  private static String op(RelNode rel) {
    if (RecursionRules.recursive(rel) != null) {
      return "recursive";
    }
    if (rel instanceof TableScan) {
      return "scan";
    }
    if (rel instanceof Intersect || rel instanceof Minus) {
      return "setop";
    }
    if (rel instanceof WindowedInput) {
      return "windowed";
    }
    if (rel instanceof LatenessFilter) {
      return "lateness";
    }
    if (rel instanceof IntervalJoin) {
      return "interval_join";
    }
    if (rel instanceof LookupJoin) {
      return "lookup_join";
    }
    if (rel instanceof TemporalJoin) {
      return "temporal_join";
    }
    if (rel instanceof SearchKeyJoin) {
      return "search_key";
    }
    if (rel instanceof HopWindows) {
      return "hop";
    }
    if (rel instanceof TopN) {
      return "top_n";
    }
    if (rel instanceof TableProcess) {
      return "process";
    }
    if (rel instanceof SessionWindows) {
      return "session";
    }
    if (rel instanceof TableFunctionScan) {
      return "tablefunction";
    }
    return rel.getRelTypeName().replace("Logical", "").toLowerCase(Locale.ROOT);
  }

  private void scan(ObjectNode json, TableScan scan) {
    CatalogObject object = scan.getTable().unwrapOrThrow(CatalogTable.class).object();
    boolean streaming = plan.streams().contains(scan);
    json.put("source", object.name()).put("kind", object.kind()).put("mode", streaming ? "stream" : "relation");
    json.put("bound", bound(scan));
    json.put("minRowtime", streaming ? null : history.of(scan));
    json.put("start", fromBeginning.contains(scan) ? "EARLIEST" : null);
    json.put("clockShift", streaming && object.kind().equals("STREAM") ? clockShifts.get(scan) : null);
    if (scan instanceof SnapshotScan snapshot) {
      json.putObject("asOf").put("by", snapshot.asOf().by().name()).put("time", snapshot.asOf().time())
          .put("shift", snapshot.asOf().shift());
    } else {
      json.putNull("asOf");
    }
    if (streaming && object.kind().equals("FOREIGN STREAM")) {
      watermarks(object, bound(scan));
    }
  }

  /** Rows of a foreign stream wait for the clock of the query that reads them, and there is one. */
  private void watermarks(CatalogObject object, String clock) {
    for (CatalogColumn column : object.columns()) {
      boolean rowtime = column.name().equals(CatalogObject.ROWTIME);
      refuseIf(column.watermark() != null && !rowtime, "WATERMARK on column '" + column.name() + "' of the foreign stream '"
          + object.name() + "' (a pump can copy its rows into a stream, whose columns can have a WATERMARK)");
      refuseIf(column.watermark() != null && rowtime && clock == null, "the WATERMARK of the foreign stream '" + object.name()
          + "' in a query with another clock (put a pump and a stream in between)");
    }
  }

  /** The column whose bound is the clock of the query; null where that is another node's. */
  private String bound(RelNode rel) {
    int column = plan.orders().clockColumn(rel);
    return column < 0 ? null : rel.getRowType().getFieldNames().get(column);
  }

  private void lateness(ObjectNode json, LatenessFilter filter) {
    ArrayNode columns = json.putArray("columns");
    RexBuilder builder = filter.getCluster().getRexBuilder();
    filter.amounts().forEach((index, amount) -> {
      boolean time = SqlTypeUtil.isDatetime(filter.getRowType().getFieldList().get(index).getType());
      columns.addObject().put("index", index).set("lateness", rex.write(
          time ? Closing.interval(builder, amount.longValue()) : builder.makeExactLiteral(amount)));
    });
    json.put("bound", bound(filter));
  }

  private void sessions(ObjectNode json, SessionWindows sessions) {
    json.put("time", sessions.time());
    sessions.keys().forEach(json.putArray("keys")::add);
    json.put("gap", sessions.gap());
    if (!plan.streams().contains(sessions)) {
      json.putNull("closes");
      return;
    }
    NodeOrder input = plan.orders().of(sessions.getInput());
    List<ClockStep> steps = input.fields().get(sessions.time()).steps();
    refuseIf(steps == null || !steps.equals(input.clock()), "SESSION of a stream by a time that is not its clock");
    RexBuilder builder = sessions.getCluster().getRexBuilder();
    // A row exactly a gap later belongs to the session, and may come while the bound is there.
    json.set("closes", rex.write(Closing.plus(builder, builder.makeInputRef(sessions.getInput(), sessions.time()), sessions.gap() + 1)));
  }

  private void union(ObjectNode json, Union union) {
    json.put("all", union.all);
    if (plan.streams().contains(union)) {
      json.set("closes", new SortWriter(this, plan).mergeTime(union));
    } else {
      json.putNull("closes");
    }
  }

  private void process(ObjectNode json, TableProcess process) {
    ProcessFunction function = process.function();
    json.put("function", function.getName()).put("language", function.definition().options().get(UserFunction.LANGUAGE))
        .put("body", function.definition().options().get(UserFunction.BODY)).put("time", process.time());
    process.partition().forEach(json.putArray("partition")::add);
    ArrayNode parameters = json.putArray("parameters");
    function.parameters().forEach(parameter -> parameters.add(parameter.name()));
    json.set("args", rex.writeAll(process.arguments()));
    json.put("delay", function.delay()).put("stateTtl", function.stateTtl());
    refuseIf(json.get("language").textValue().equals("PYTHON") && process.getInput().getRowType().getFieldList().stream()
        .anyMatch(field -> field.getType().getSqlTypeName().getFamily() == SqlTypeFamily.INTERVAL_YEAR_MONTH),
        "intervals of months in the Python function '" + function.getName() + "'");
    if (plan.streams().contains(process)) {
      NodeOrder order = plan.orders().of(process);
      refuseIf(!order.hasClock(), "the table function '" + function.getName() + "' over a stream whose clock is a column other than ROWTIME");
      refuseIf(order.hasClock() && order.clock().stream().anyMatch(ClockStep::varies), "the table function '" + function.getName()
          + "' over a stream whose ROWTIME advances by months or by local time");
    }
  }

  private static void sample(ObjectNode json, RelOptSamplingParameters sample) {
    json.put("fraction", sample.sampleRate).put("seed", sample.isRepeatable() ? sample.getRepeatableSeed() : null);
  }

  private ArrayNode rows(Values values) {
    ArrayNode rows = JSON.arrayNode();
    for (List<RexLiteral> tuple : values.tuples) {
      rows.add(rex.writeAll(tuple));
    }
    return rows;
  }

  /** Operators that are planned and explained today, and executed by later work. */
  private void later(ObjectNode json, RelNode rel) {
    if (rel instanceof WindowedInput windowed) {
      WindowedInput.Frame frame = windowed.frame();
      ObjectNode node = json.putObject("frame").put("rows", frame.rows());
      node.putObject("lower").put("kind", frame.lower().kind()).put("offset", frame.lower().offset());
      node.putObject("upper").put("kind", frame.upper().kind()).put("offset", frame.upper().offset());
      notSupported.add("a window on an input of a join (FROM … OVER)");
    } else if (rel instanceof TableFunctionScan function) {
      RexCall call = (RexCall) function.getCall();
      json.put("function", call.getOperator().getName()).set("args", rex.writeAll(call.getOperands()));
      notSupported.add("the table function " + call.getOperator().getName());
    } else if (rel instanceof Correlate correlate) {
      json.put("joinType", correlate.getJoinType().name()).put("correlation", correlate.getCorrelVariable());
      // Where it is one, the message is that of the UNNEST.
      if (Plans.nodes(correlate.getRight()).noneMatch(Uncollect.class::isInstance)) {
        notSupported.add("a correlated input (LATERAL)");
      }
    } else if (rel instanceof Uncollect) {
      notSupported.add("a sub-query of this form over UNNEST of an outer column");
    } else if (rel instanceof LogicalSnapshot snapshot) {
      json.set("period", rex.write(snapshot.getPeriod()));
      notSupported.add("FOR SYSTEM_TIME AS OF");
    } else {
      notSupported.add("the operator " + op(rel));
    }
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
    ObjectNode json = JSON.objectNode().put("name", name).put("type", TypeText.of(type)).put("nullable", type.isNullable())
        .put("monotonicity", order.monotonicity().name());
    if (order.disorder() > 0 && !SqlTypeUtil.isNumeric(type)) {
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
