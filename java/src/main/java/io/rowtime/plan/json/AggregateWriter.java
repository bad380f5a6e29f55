package io.rowtime.plan.json;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.rowtime.catalog.TypeText;
import io.rowtime.plan.clock.Closing;
import io.rowtime.aggregate.AggregateFunction;
import io.rowtime.plan.physical.GroupOperator;
import io.rowtime.plan.physical.HopAggregation;
import io.rowtime.plan.physical.OperatorCalls;
import io.rowtime.plan.physical.PlanOperator;
import io.rowtime.plan.progress.KeyClosing;
import io.rowtime.plan.progress.PlannedQuery;
import io.rowtime.plan.rel.SessionAggregate;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.apache.calcite.rel.RelFieldCollation;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Aggregate;
import org.apache.calcite.rel.core.AggregateCall;
import org.apache.calcite.rel.core.Project;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;

/** Writes GROUP BY as the node of the operator that computes it. */
final class AggregateWriter {
  private final PlanWriter writer;
  private final PlannedQuery plan;

  AggregateWriter(PlanWriter writer, PlannedQuery plan) {
    this.writer = writer;
    this.plan = plan;
  }

  ObjectNode write(Aggregate aggregate) {
    if (!plan.streams().contains(aggregate)) {
      return writeGrouped(PlanOperator.AGGREGATE, aggregate, null);
    }
    HopAggregation hop = HopAggregation.of(aggregate, plan.orders());
    if (hop != null) {
      return hop(hop);
    }
    KeyClosing closing = KeyClosing.of(aggregate, plan.orders());
    if (closing == null) {
      writer.refuseUntraced("grouping a stream by a monotonic expression that cannot be traced back to the clock of its rows");
    }
    return switch (closing == null ? GroupOperator.SPARK : GroupOperator.of(aggregate)) {
      case SPARK -> writeGrouped(PlanOperator.AGGREGATE, aggregate, closing);
      case GROUPS -> {
        boolean combines = GroupOperator.combines(aggregate);
        ObjectNode json = writeGrouped(PlanOperator.GROUP_AGGREGATE, aggregate, closing).put("combines", combines);
        // Groups of all times are in one task: they close one after the other.
        ArrayNode partition = json.putArray("partition");
        aggregate.getGroupSet().clear(closing.key()).forEach(partition::add);
        yield json.set("operator", operator(aggregate, combines));
      }
      case SESSIONS -> sessions((SessionAggregate) aggregate, closing);
    };
  }

  private ObjectNode writeGrouped(PlanOperator operator, Aggregate aggregate, KeyClosing closing) {
    if (operator == PlanOperator.AGGREGATE) {
      aggregate.getAggCallList().forEach(call -> checkSupported(aggregate, call));
    }
    ObjectNode json = open(operator, aggregate, aggregate.getInput());
    ArrayNode keys = json.putArray("keys");
    aggregate.getGroupSet().forEach(keys::add);
    if (aggregate.getGroupType() == Aggregate.Group.SIMPLE) {
      json.putNull("sets");
    } else {
      ArrayNode sets = json.putArray("sets");
      aggregate.getGroupSets().forEach(set -> set.forEach(sets.addArray()::add));
    }
    json.set("calls", calls(aggregate));
    if (operator == PlanOperator.AGGREGATE) {
      json.set("constants", constants(aggregate));
      json.putNull("session");
      if (aggregate instanceof SessionAggregate sessions) {
        json.set("session", session(sessions));
      }
    }
    json.set("closes", closing == null ? null : closes(aggregate, closing));
    return json;
  }

  /** Refuses calls that Spark's aggregation cannot compute. */
  private void checkSupported(Aggregate aggregate, AggregateCall call) {
    String name = GroupOperator.name(call);
    boolean runs = AggregateFunction.runs(name, AggregateFunction.Use.GROUP_BY);
    writer.refuseIf(!runs, "the aggregate function " + name);
    // Spark's streams support DISTINCT only for set functions.
    writer.refuseIf(runs && call.isDistinct() && plan.streams().contains(aggregate) && !AggregateFunction.named(name).distinctOfSet(),
        name + "(DISTINCT …) in a stream or a window");
  }

  private ObjectNode sessions(SessionAggregate aggregate, KeyClosing closing) {
    ObjectNode json = open(PlanOperator.SESSION_AGGREGATE, aggregate, aggregate.getInput());
    ArrayNode keys = json.putArray("keys");
    aggregate.getGroupSet().forEach(keys::add);
    json.set("calls", calls(aggregate));
    json.set("session", session(aggregate));
    json.set("closes", closes(aggregate, closing));
    return json.set("operator", operator(aggregate, false));
  }

  /** Writes the calls for one of rowtime's own operators. */
  private ObjectNode operator(Aggregate aggregate, boolean combines) {
    OperatorCalls computed = new OperatorCalls(aggregate.getCluster().getRexBuilder());
    for (AggregateCall call : aggregate.getAggCallList()) {
      computed.addOfGroup(requestedCall(aggregate.getInput(), call), combines);
    }
    return OperatorCallWriter.write(computed, writer.rex());
  }

  private static OperatorCalls.RequestedCall requestedCall(RelNode input, AggregateCall call) {
    RexBuilder rex = input.getCluster().getRexBuilder();
    List<RexNode> args = new ArrayList<>(call.getArgList().stream().map(index -> argument(input, index)).toList());
    List<RelFieldCollation> order = call.getCollation().getFieldCollations();
    if (!order.isEmpty()) {
      // The percentile applies to the values that WITHIN GROUP orders; in descending order the fraction is 1 minus the
      // one given.
      RexLiteral fraction = (RexLiteral) args.get(0);
      BigDecimal share = fraction.getValueAs(BigDecimal.class);
      boolean falls = order.get(0).getDirection().isDescending();
      args = List.of(argument(input, order.get(0).getFieldIndex()), falls ? rex.makeExactLiteral(BigDecimal.ONE.subtract(share)) : fraction);
    }
    RexNode filter = call.hasFilter() ? rex.makeInputRef(input, call.filterArg) : null;
    return new OperatorCalls.RequestedCall(GroupOperator.name(call), args, call.isDistinct(), false, filter, call.getType());
  }

  /** Returns a field of the input, or the constant that a projection gives it. */
  private static RexNode argument(RelNode input, int index) {
    return input instanceof Project project && project.getProjects().get(index) instanceof RexLiteral literal ? literal
        : input.getCluster().getRexBuilder().makeInputRef(input, index);
  }

  /** Writes the constant arguments: Spark accepts no column for a separator or a fraction. */
  private ArrayNode constants(Aggregate aggregate) {
    ArrayNode constants = PlanWriter.JSON.arrayNode();
    aggregate.getAggCallList().stream().flatMap(call -> call.getArgList().stream()).distinct().sorted().forEach(index -> {
      if (argument(aggregate.getInput(), index) instanceof RexLiteral literal) {
        constants.addObject().put("index", index).set("value", writer.rex().write(literal));
      }
    });
    return constants;
  }

  private static ObjectNode session(SessionAggregate aggregate) {
    return PlanWriter.JSON.objectNode().put("key", aggregate.timeKey()).put("gap", aggregate.gap());
  }

  private ObjectNode hop(HopAggregation hop) {
    Aggregate windows = hop.windows();
    ObjectNode json = open(PlanOperator.HOP_AGGREGATE, windows, hop.input());
    json.put("pane", 0).put("late", hop.late());
    json.put("slide", hop.hop().period().slide()).put("size", hop.hop().period().size()).put("offset", hop.hop().period().offset());
    ArrayNode keys = json.putArray("keys");
    for (int key : windows.getGroupSet()) {
      int field = hop.key(key);
      if (field < 0) {
        keys.add(field == -1 ? "START" : "END");
      } else {
        keys.add(field);
      }
    }
    ArrayNode calls = json.putArray("calls");
    OperatorCalls computed = new OperatorCalls(windows.getCluster().getRexBuilder());
    List<String> names = windows.getRowType().getFieldNames();
    for (int i = 0; i < windows.getAggCallList().size(); i++) {
      AggregateCall partial = hop.partial(windows.getAggCallList().get(i));
      String merging = GroupOperator.name(windows.getAggCallList().get(i)).toUpperCase(Locale.ROOT);
      calls.add(call(partial, names.get(windows.getGroupCount() + i), true).put("mergedBy", merging));
      computed.addOfPanes(requestedCall(hop.input(), partial), merging, hop.combines());
    }
    return json.put("combines", hop.combines()).set("operator", OperatorCallWriter.write(computed, writer.rex()));
  }

  private ObjectNode open(PlanOperator operator, Aggregate aggregate, RelNode input) {
    ArrayNode inputs = PlanWriter.JSON.arrayNode().add(writer.node(input));
    return writer.open(operator, inputs, writer.fields(aggregate, plan.orders().of(aggregate)), aggregate);
  }

  private ArrayNode calls(Aggregate aggregate) {
    // Spark's streams have no DISTINCT, and its DISTINCT loses the order of a LISTAGG beside it.
    boolean sets = plan.streams().contains(aggregate) || aggregate.getAggCallList().stream().anyMatch(AggregateWriter::isOrderedText);
    ArrayNode calls = PlanWriter.JSON.arrayNode();
    List<String> names = aggregate.getRowType().getFieldNames();
    for (int i = 0; i < aggregate.getAggCallList().size(); i++) {
      calls.add(call(aggregate.getAggCallList().get(i), names.get(aggregate.getGroupCount() + i), sets));
    }
    return calls;
  }

  private static boolean isOrderedText(AggregateCall call) {
    return !call.getCollation().getFieldCollations().isEmpty()
        && AggregateFunction.constant(GroupOperator.name(call)) == AggregateFunction.Constant.SEPARATOR;
  }

  /** Writes a call; {@code sets} is true if DISTINCT values are collected in a set first, where that is possible. */
  private static ObjectNode call(AggregateCall call, String name, boolean sets) {
    ObjectNode json = PlanWriter.JSON.objectNode().put("function", GroupOperator.name(call));
    ArrayNode args = json.putArray("args");
    call.getArgList().forEach(args::add);
    AggregateFunction function = AggregateFunction.named(GroupOperator.name(call));
    json.put("distinct", call.isDistinct());
    json.put("ofSet", sets && call.isDistinct() && function != null && function.distinctOfSet());
    if (call.hasFilter()) {
      json.put("filter", call.filterArg);
    } else {
      json.putNull("filter");
    }
    json.put("type", TypeText.of(call.getType())).put("nullable", call.getType().isNullable()).put("name", name);
    json.set("order", SortWriter.keys(call.getCollation().getFieldCollations()));
    return json;
  }

  private ObjectNode closes(Aggregate aggregate, KeyClosing closing) {
    RexBuilder rex = aggregate.getCluster().getRexBuilder();
    RexNode time = rex.makeInputRef(aggregate.getInput(), closing.key());
    // A row that is exactly one gap later still belongs to the session, and can arrive while the bound is at its time.
    return writer.rex().write(aggregate instanceof SessionAggregate sessions
        ? rex.makeCall(SqlStdOperatorTable.DATETIME_PLUS, time, Closing.interval(rex, sessions.gap() + 1))
        : closing.closes(rex, time));
  }
}
