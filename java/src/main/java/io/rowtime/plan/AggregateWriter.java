package io.rowtime.plan;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.rowtime.catalog.TypeText;
import io.rowtime.plan.monotone.ClockStep;
import io.rowtime.plan.monotone.FieldOrder;
import io.rowtime.plan.monotone.NodeOrder;
import io.rowtime.plan.monotone.Orders;
import java.util.List;
import org.apache.calcite.rel.core.Aggregate;
import org.apache.calcite.rel.core.AggregateCall;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;

/** GROUP BY. */
final class AggregateWriter {
  private final PlanWriter writer;
  private final Planned plan;

  AggregateWriter(PlanWriter writer, Planned plan) {
    this.writer = writer;
    this.plan = plan;
  }

  void write(ObjectNode json, Aggregate aggregate) {
    ArrayNode keys = json.putArray("keys");
    aggregate.getGroupSet().forEach(keys::add);
    ArrayNode calls = json.putArray("calls");
    List<String> names = aggregate.getRowType().getFieldNames();
    for (int i = 0; i < aggregate.getAggCallList().size(); i++) {
      calls.add(call(aggregate.getAggCallList().get(i), names.get(aggregate.getGroupCount() + i)));
    }
    writer.refuseIf(aggregate.getGroupType() != Aggregate.Group.SIMPLE, "GROUPING SETS, ROLLUP and CUBE");
    json.putNull("closes");
    json.putNull("session");
    if (aggregate instanceof SessionAggregate sessions) {
      json.putObject("session").put("key", sessions.timeKey()).put("gap", sessions.gap());
    }
    if (plan.streams().contains(aggregate)) {
      streaming(json, aggregate);
    }
  }

  private ObjectNode call(AggregateCall call, String name) {
    ObjectNode json = PlanWriter.JSON.objectNode();
    // COUNT's SUM over partial counts of an empty set is 0: Calcite calls that function $SUM0.
    json.put("function", call.getAggregation() == SqlStdOperatorTable.SUM0 ? "SUM0" : call.getAggregation().getName());
    ArrayNode args = json.putArray("args");
    call.getArgList().forEach(args::add);
    json.put("distinct", call.isDistinct());
    if (call.hasFilter()) {
      json.put("filter", call.filterArg);
    } else {
      json.putNull("filter");
    }
    json.put("type", TypeText.of(call.getType())).put("nullable", call.getType().isNullable()).put("name", name);
    writer.refuseIf(!call.getCollation().getFieldCollations().isEmpty(),
        "ORDER BY within the aggregate function " + call.getAggregation().getName());
    return json;
  }

  /** The key by which groups close: of several the finest, so that each group comes out as early as can be; -1 without one. */
  static int closingKey(Aggregate aggregate, Orders orders) {
    NodeOrder input = orders.of(aggregate.getInput());
    if (aggregate instanceof SessionAggregate sessions) {
      FieldOrder time = input.fields().get(sessions.timeKey());
      return time.derivesFromRowtime() && input.hasClock() && time.steps().equals(input.clock()) ? sessions.timeKey() : -1;
    }
    int best = -1;
    for (int key : aggregate.getGroupSet()) {
      FieldOrder order = input.fields().get(key);
      if (order.derivesFromRowtime() && input.hasClock() && ClockStep.relative(order.steps(), input.clock()) != null
          && (best < 0 || ClockStep.length(order.steps()) < ClockStep.length(input.fields().get(best).steps()))) {
        best = key;
      }
    }
    return best;
  }

  private void streaming(ObjectNode json, Aggregate aggregate) {
    int best = closingKey(aggregate, plan.orders());
    if (best < 0) {
      writer.refuseIf(true, "grouping a stream by a monotonic column other than a function of ROWTIME");
      return;
    }
    RexBuilder rex = aggregate.getCluster().getRexBuilder();
    RexNode time = rex.makeInputRef(aggregate.getInput(), best);
    if (aggregate instanceof SessionAggregate sessions) {
      // A row exactly a gap later belongs to the session, and may come while the bound is there.
      json.set("closes", writer.rex().write(rex.makeCall(SqlStdOperatorTable.DATETIME_PLUS, time, Closing.interval(rex, sessions.gap() + 1))));
      return;
    }
    NodeOrder input = plan.orders().of(aggregate.getInput());
    List<ClockStep> steps = input.fields().get(best).steps();
    json.set("closes", writer.rex().write(new Closing(rex).of(time, ClockStep.relative(steps, input.clock()))));
  }
}
