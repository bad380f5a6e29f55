package io.rowtime.plan;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.rowtime.catalog.TypeText;
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
    if (aggregate.getGroupType() == Aggregate.Group.SIMPLE) {
      json.putNull("sets");
    } else {
      ArrayNode sets = json.putArray("sets");
      aggregate.getGroupSets().forEach(set -> set.forEach(sets.addArray()::add));
    }
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
    json.set("order", SortWriter.keys(call.getCollation().getFieldCollations()));
    return json;
  }

  private void streaming(ObjectNode json, Aggregate aggregate) {
    KeyClosing closing = KeyClosing.of(aggregate, plan.orders());
    if (closing == null) {
      writer.refuseIf(true, "grouping a stream by a monotonic expression that cannot be followed back to the clock of its rows");
      return;
    }
    RexBuilder rex = aggregate.getCluster().getRexBuilder();
    RexNode time = rex.makeInputRef(aggregate.getInput(), closing.key());
    // A row exactly a gap later belongs to the session, and may come while the bound is there.
    json.set("closes", writer.rex().write(aggregate instanceof SessionAggregate sessions
        ? rex.makeCall(SqlStdOperatorTable.DATETIME_PLUS, time, Closing.interval(rex, sessions.gap() + 1))
        : closing.closes(rex, time)));
  }
}
