package io.rowtime.plan.json;

import static io.rowtime.plan.json.ExpressionWriter.writeNullable;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.rowtime.aggregate.RankFunction;
import io.rowtime.plan.node.Execution;
import io.rowtime.plan.node.Fallible;
import io.rowtime.plan.node.GroupCall;
import io.rowtime.plan.node.Operator;
import io.rowtime.plan.node.OverWindow;
import io.rowtime.plan.node.PhysicalNode;
import io.rowtime.plan.node.SortKey;
import io.rowtime.validate.function.SearchKeyOptions;
import java.util.List;

/** Writes the fields that a node has because of its operator. */
final class OperatorWriter {
  private final ObjectNode json;
  private final PhysicalNode node;

  OperatorWriter(ObjectNode json, PhysicalNode node) {
    this.json = json;
    this.node = node;
  }

  void write() {
    Operator operator = node.node().operator();
    switch (operator.kind()) {
      case SCAN -> scan((Operator.Scan) operator);
      case VALUES -> {
        ArrayNode rows = json.putArray("rows");
        ((Operator.Values) operator).rows().forEach(row -> rows.add(ExpressionWriter.write(row)));
      }
      case FILTER -> {
        json.set("condition", ExpressionWriter.write(((Operator.Filter) operator).condition()));
        fallible(((Operator.Filter) operator).fallible());
      }
      case PROJECT -> {
        json.set("exprs", ExpressionWriter.write(((Operator.Project) operator).exprs()));
        fallible(((Operator.Project) operator).fallible());
      }
      case AGGREGATE -> aggregate((Operator.Aggregate) operator);
      case GROUP_AGGREGATE -> groupAggregate((Operator.GroupAggregate) operator);
      case SESSION_AGGREGATE -> sessionAggregate((Operator.SessionAggregate) operator);
      case HOP_AGGREGATE -> hopAggregate((Operator.HopAggregate) operator);
      case UPDATING_AGGREGATE -> updatingAggregate((Operator.UpdatingAggregate) operator);
      case TO_CHANGELOG -> changelog((Operator.ToChangelog) operator);
      case FROM_CHANGELOG -> applied((Operator.FromChangelog) operator);
      case UNION -> json.put("all", ((Operator.Union) operator).all()).put("merges", ((Operator.Union) operator).merges()).set("closes", writeNullable(((Operator.Union) operator).closes()));
      case SORT -> sort((Operator.Sort) operator);
      case JOIN -> json.put("joinType", ((Operator.Join) operator).joinType().name())
          .set("condition", ExpressionWriter.write(((Operator.Join) operator).condition()));
      case INTERVAL_JOIN -> intervalJoin((Operator.IntervalJoin) operator);
      case UPDATING_JOIN -> updatingJoin((Operator.UpdatingJoin) operator);
      case LOOKUP_JOIN -> lookupJoin((Operator.LookupJoin) operator);
      case SEARCH_KEY -> searchKey((Operator.SearchKey) operator);
      case TEMPORAL_JOIN -> temporalJoin((Operator.TemporalJoin) operator);
      case HOP -> hop((Operator.Hop) operator);
      case SESSION -> session((Operator.Session) operator);
      case UNNEST -> json.put("ordinality", ((Operator.Unnest) operator).ordinality()).put("outer", ((Operator.Unnest) operator).outer())
          .set("exprs", ExpressionWriter.write(((Operator.Unnest) operator).exprs()));
      case PROCESS -> process((Operator.ProcessRows) operator);
      case SAMPLE -> json.put("fraction", ((Operator.Sample) operator).fraction()).put("seed", ((Operator.Sample) operator).seed());
      case RECURSE -> json.put("recursion", ((Operator.Recurse) operator).recursion()).put("all", ((Operator.Recurse) operator).all());
      case RECURSIVE -> json.put("recursion", ((Operator.Recursive) operator).recursion());
      case LATENESS -> lateness((Operator.Lateness) operator);
      case SETOP -> json.put("kind", ((Operator.SetOp) operator).operation()).put("all", ((Operator.SetOp) operator).all());
      case WINDOW -> window((Operator.Window) operator);
      case TOP_N -> topN((Operator.TopN) operator);
      case UPDATING_TOP_N -> updatingTopN((Operator.UpdatingTopN) operator);
      case TEMPORAL_FILTER -> temporalFilter((Operator.TemporalFilter) operator);
      case UPDATING_OVER -> updatingOver((Operator.UpdatingOver) operator);
      case UNSUPPORTED -> unsupported((Operator.Unsupported) operator);
    }
  }

  private void fallible(Fallible fallible) {
    if (fallible.isNothing()) {
      json.putNull("fallible");
      return;
    }
    ObjectNode written = json.putObject("fallible").put("onError", fallible.onError().name()).put("source", fallible.source())
        .put("stateName", node.properties().stateName());
    written.set("exprs", PlanWriter.numbers(fallible.expressions()));
    written.set("nulls", PlanWriter.numbers(fallible.nulls()));
  }

  private void scan(Operator.Scan scan) {
    json.put("source", scan.source()).put("kind", scan.catalogKind()).put("mode", scan.mode().toString()).put("identity", scan.identity())
        .put("bound", scan.bound()).put("minRowtime", scan.minRowtime()).put("start", scan.start() == null ? null : scan.start().name())
        .put("clockShift", scan.clockShift());
    if (scan.asOf() == null) {
      json.putNull("asOf");
    } else {
      json.putObject("asOf").put("by", scan.asOf().by().name()).put("time", scan.asOf().time()).put("shift", scan.asOf().shift());
    }
    json.put("stateName", node.properties().stateName());
  }

  private void aggregate(Operator.Aggregate aggregate) {
    grouped(aggregate, aggregate.sets());
    ArrayNode constants = json.putArray("constants");
    aggregate.constants().forEach(constant -> constants.addObject().put("index", constant.index())
        .set("value", ExpressionWriter.write(constant.value())));
    if (aggregate.session() == null) {
      json.putNull("session");
    } else {
      session(aggregate.session());
    }
  }

  private void groupAggregate(Operator.GroupAggregate aggregate) {
    grouped(aggregate, aggregate.sets());
    json.put("combines", aggregate.combines()).set("partition", PlanWriter.numbers(aggregate.partition()));
    arrival();
    execution();
  }

  private void updatingAggregate(Operator.UpdatingAggregate aggregate) {
    grouped(aggregate, aggregate.sets());
    json.put("combines", aggregate.combines()).put("ttl", aggregate.ttl());
    execution();
  }

  private void changelog(Operator.ToChangelog changelog) {
    json.set("key", changelog.key() == null ? null : PlanWriter.numbers(changelog.key()));
    json.put("upserts", changelog.upserts()).put("renews", changelog.renews());
    json.put("target", changelog.target());
    execution();
  }

  private void sessionAggregate(Operator.SessionAggregate aggregate) {
    json.set("keys", PlanWriter.numbers(aggregate.keys()));
    json.set("calls", groupCalls(aggregate.calls()));
    session(aggregate.session());
    json.set("closes", ExpressionWriter.write(aggregate.closes()));
    arrival();
    execution();
  }

  private void grouped(Operator.Grouped aggregate, List<List<Integer>> sets) {
    json.set("keys", PlanWriter.numbers(aggregate.keys()));
    json.set("sets", sets == null ? null : PlanWriter.lists(sets));
    json.set("calls", groupCalls(aggregate.calls()));
    json.set("closes", writeNullable(aggregate.closes()));
  }

  private void session(Operator.SessionKey session) {
    json.putObject("session").put("key", session.key()).put("gap", session.gap());
  }

  private void hopAggregate(Operator.HopAggregate aggregate) {
    json.put("pane", aggregate.pane()).put("late", aggregate.late()).put("slide", aggregate.slide()).put("size", aggregate.size())
        .put("offset", aggregate.offset());
    ArrayNode keys = json.putArray("keys");
    for (Operator.HopKey key : aggregate.keys()) {
      if (key.isColumn()) {
        keys.add(key.column());
      } else {
        keys.add(key.toString());
      }
    }
    json.set("calls", groupCalls(aggregate.calls()));
    json.put("combines", aggregate.combines());
    arrival();
    execution();
  }

  private static ArrayNode groupCalls(List<GroupCall> calls) {
    ArrayNode array = PlanWriter.JSON.arrayNode();
    for (GroupCall call : calls) {
      ObjectNode each = array.addObject().put("function", call.function());
      each.set("args", PlanWriter.numbers(call.args()));
      each.put("distinct", call.distinct()).put("ofSet", call.ofSet()).put("filter", call.filter()).put("type", call.type())
          .put("nullable", call.nullable()).put("name", call.name()).set("order", sortKeys(call.order()));
      if (call.mergedBy() != null) {
        each.put("mergedBy", call.mergedBy());
      }
    }
    return array;
  }

  private void sort(Operator.Sort sort) {
    json.set("keys", sortKeys(sort.keys()));
    json.put("offset", sort.offset()).put("fetch", sort.fetch()).set("closes", writeNullable(sort.closes()));
  }

  private static ArrayNode sortKeys(List<SortKey> keys) {
    ArrayNode array = PlanWriter.JSON.arrayNode();
    keys.forEach(key -> array.addObject().put("index", key.index()).put("direction", key.direction().name()).put("nulls", key.nulls().name()));
    return array;
  }

  private void intervalJoin(Operator.IntervalJoin join) {
    json.put("joinType", join.joinType().name()).set("leftInterval", interval(join.leftInterval()));
    json.set("rightInterval", interval(join.rightInterval()));
    json.put("leftDistinct", join.leftDistinct()).put("rightDistinct", join.rightDistinct()).set("leftKeys", ExpressionWriter.write(join.leftKeys()));
    json.set("rightKeys", ExpressionWriter.write(join.rightKeys()));
    json.set("condition", writeNullable(join.condition()));
    streams();
  }

  private void updatingJoin(Operator.UpdatingJoin join) {
    json.put("joinType", join.joinType().name()).set("leftKeys", ExpressionWriter.write(join.leftKeys()));
    json.set("rightKeys", ExpressionWriter.write(join.rightKeys()));
    json.set("condition", writeNullable(join.condition()));
    execution();
  }

  private void temporalJoin(Operator.TemporalJoin join) {
    json.put("joinType", join.joinType().name()).put("leftTime", join.leftTime()).put("rightTime", join.rightTime()).put("shift", join.shift())
        .put("inclusive", join.inclusive()).put("within", join.within()).put("oneTask", join.oneTask());
    json.set("identity", PlanWriter.numbers(join.identity()));
    json.set("leftKeys", ExpressionWriter.write(join.leftKeys()));
    json.set("rightKeys", ExpressionWriter.write(join.rightKeys()));
    json.set("condition", writeNullable(join.condition()));
    streams();
  }

  /** Writes the clocks of both inputs, and how their rows arrive. */
  private void streams() {
    json.put("leftSource", node.inputs().get(0).boundSource()).put("rightSource", node.inputs().get(1).boundSource());
    json.set("leftArrival", PlanWriter.arrival(node.properties().arrivals().get(0)));
    json.set("rightArrival", PlanWriter.arrival(node.properties().arrivals().get(1)));
    execution();
  }

  private static ObjectNode interval(Operator.Interval interval) {
    ObjectNode json = PlanWriter.JSON.objectNode().put("from", interval.from());
    if (interval.window() != null) {
      json.set("window", PlanWriter.clock(List.of(interval.window())).get(0));
    }
    return json.put("to", interval.to()).put("rows", interval.rows());
  }

  private void lookupJoin(Operator.LookupJoin join) {
    json.put("joinType", join.joinType().name()).put("stream", join.stream().name()).put("varies", join.varies())
        .set("condition", ExpressionWriter.write(join.condition()));
  }

  private void searchKey(Operator.SearchKey join) {
    json.put("connector", join.connector()).put("joinType", join.joinType().name()).set("keys", PlanWriter.numbers(join.keys()));
    json.set("lookup", ExpressionWriter.write(join.lookup()));
    json.set("condition", writeNullable(join.condition()));
    SearchKeyOptions options = join.options();
    json.putObject("options").put("capacity", options.capacity()).put("timeout", options.timeout()).put("batchSize", options.batchSize())
        .put("retries", options.retries()).put("delay", options.delay()).put("cacheTtl", options.cacheTtl()).put("cacheRows", options.cacheRows())
        .put("cacheMisses", options.cacheMisses()).put("outage", options.outage());
    execution("search");
  }

  private void hop(Operator.Hop hop) {
    json.put("slide", hop.slide()).put("size", hop.size()).put("offset", hop.offset()).set("time", ExpressionWriter.write(hop.time()));
  }

  private void session(Operator.Session session) {
    json.put("time", session.time()).put("gap", session.gap()).set("keys", PlanWriter.numbers(session.keys()));
    json.set("closes", writeNullable(session.closes()));
    arrival();
    execution();
  }

  private void process(Operator.ProcessRows process) {
    json.put("function", process.function()).put("language", process.language()).put("body", process.body()).put("time", process.time())
        .put("delay", process.delay()).put("stateTtl", process.stateTtl()).set("partition", PlanWriter.numbers(process.partition()));
    ArrayNode parameters = json.putArray("parameters");
    process.parameters().forEach(parameters::add);
    json.set("args", ExpressionWriter.write(process.args()));
    arrival();
    execution();
  }

  private void lateness(Operator.Lateness lateness) {
    ArrayNode columns = json.putArray("columns");
    lateness.columns().forEach(column -> columns.addObject().put("index", column.index()).set("lateness", ExpressionWriter.write(column.lateness())));
    json.put("bound", lateness.bound()).put("stateName", node.properties().stateName());
  }

  private void window(Operator.Window window) {
    ArrayNode windows = json.putArray("windows");
    window.windows().forEach(each -> window(windows.addObject(), each));
    ArrayNode passes = json.putArray("passes");
    for (int i = 0; i < window.passes().size(); i++) {
      OverWindow.Pass pass = window.passes().get(i);
      ObjectNode each = passes.addObject().put("waits", pass.waits()).put("waitsForRows", pass.waitsForRows());
      each.set("windows", PlanWriter.numbers(pass.windows()));
      each.set("clock", PlanWriter.clock(pass.clock()));
      each.set("closes", writeNullable(pass.closes()));
      if (pass.time() == null) {
        each.putNull("time");
      } else {
        each.putObject("time").put("index", pass.time().index()).set("clock", pass.time().clock() == null ? null : PlanWriter.clock(pass.time().clock()));
      }
      each.set("arrival", PlanWriter.arrival(node.properties().arrivals().get(i)));
    }
    execution();
  }

  private void updatingOver(Operator.UpdatingOver over) {
    ArrayNode windows = json.putArray("windows");
    over.windows().forEach(each -> window(windows.addObject(), each));
    execution();
  }

  private void temporalFilter(Operator.TemporalFilter filter) {
    json.set("enters", limits(filter.enters()));
    json.set("leaves", limits(filter.leaves()));
    execution();
  }

  private static ArrayNode limits(List<Operator.TimeLimit> limits) {
    ArrayNode written = PlanWriter.JSON.arrayNode();
    limits.forEach(limit -> written.addObject().put("column", limit.column()).put("millis", limit.millis()).put("after", limit.after()));
    return written;
  }

  private static void window(ObjectNode json, OverWindow window) {
    json.put("placesPeers", window.placesPeers()).put("byTime", window.byTime()).set("partition", PlanWriter.numbers(window.partition()));
    json.set("order", sortKeys(window.order()));
    ObjectNode frame = json.putObject("frame").put("rows", window.frame().rows());
    frame.set("lower", border(window.frame().lower()));
    frame.set("upper", border(window.frame().upper()));
    ArrayNode calls = json.putArray("calls");
    for (OverWindow.OverCall call : window.calls()) {
      calls.addObject().put("function", call.function()).put("distinct", call.distinct()).put("ignoreNulls", call.ignoreNulls())
          .put("type", call.type()).put("nullable", call.nullable()).put("name", call.name()).set("args", ExpressionWriter.write(call.args()));
    }
  }

  private static ObjectNode border(OverWindow.Border border) {
    return PlanWriter.JSON.objectNode().put("kind", border.kind().name()).set("offset", writeNullable(border.offset()));
  }

  private void topN(Operator.TopN rows) {
    firstRows(rows.partition(), rows.order(), rows.function(), rows.limit(), rows.ranks());
    json.set("closes", ExpressionWriter.write(rows.closes()));
    arrival();
    execution();
  }

  private void applied(Operator.FromChangelog changelog) {
    json.put("changeKind", changelog.op()).set("key", changelog.key() == null ? null : PlanWriter.numbers(changelog.key()));
    execution();
  }

  private void updatingTopN(Operator.UpdatingTopN rows) {
    firstRows(rows.partition(), rows.order(), rows.function(), rows.limit(), rows.ranks());
    execution();
  }

  private void firstRows(List<Integer> partition, List<SortKey> order, RankFunction function, int limit, List<RankFunction> ranks) {
    json.set("partition", PlanWriter.numbers(partition));
    json.set("order", sortKeys(order));
    json.put("function", function.name()).put("limit", limit);
    ArrayNode names = json.putArray("ranks");
    ranks.forEach(rank -> names.add(rank.name()));
  }

  private void unsupported(Operator.Unsupported unsupported) {
    if (unsupported.function() != null) {
      json.put("function", unsupported.function()).set("args", ExpressionWriter.write(unsupported.args()));
    }
    if (unsupported.joinType() != null) {
      json.put("joinType", unsupported.joinType().name()).put("correlation", unsupported.correlation());
    }
    if (unsupported.period() != null) {
      json.set("period", ExpressionWriter.write(unsupported.period()));
    }
  }

  /** Writes how one of rowtime's operators computes the node; null if Spark does. */
  private void execution() {
    execution("execution");
  }

  private void execution(String name) {
    Execution execution = node.execution();
    if (execution == null) {
      json.putNull(name);
      return;
    }
    ObjectNode written = json.putObject(name);
    ArrayNode steps = written.putArray("steps");
    for (Execution.Step step : execution.steps()) {
      ObjectNode run = steps.addObject();
      ArrayNode inputs = run.putArray("inputs");
      for (Execution.Input input : step.inputs()) {
        ObjectNode each = inputs.addObject();
        each.set("copies", input.copies() == null ? null : PlanWriter.numbers(input.copies()));
        each.set("columns", ExpressionWriter.write(input.columns()));
        each.put("source", input.source());
      }
      run.set("spec", step.spec().toJson());
      run.set("expressions", ExpressionWriter.write(step.expressions()));
    }
    written.set("outputs", ExpressionWriter.write(execution.outputs()));
    written.set("rowtime", writeNullable(execution.rowtime()));
    written.set("arrival", writeNullable(execution.arrival()));
    written.set("change", writeNullable(execution.change()));
    written.set("order", PlanWriter.numbers(execution.order()));
  }

  /** Writes how rows arrive; null for a relation, which has no order to arrive in. */
  private void arrival() {
    json.set("arrival", node.properties().arrivals() == null ? null : PlanWriter.arrival(node.properties().arrivals().get(0)));
  }
}
