package io.rowtime.plan.json;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.rowtime.plan.clock.ClockStep;
import io.rowtime.plan.clock.Closing;
import io.rowtime.plan.monotone.NodeOrder;
import io.rowtime.plan.progress.PlannedQuery;
import io.rowtime.plan.rel.HopWindows;
import io.rowtime.plan.rel.SessionWindows;
import io.rowtime.plan.rel.TableProcess;
import io.rowtime.plan.rel.Unnest;
import io.rowtime.validate.ProcessFunction;
import io.rowtime.validate.UserFunction;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.sql.type.SqlTypeFamily;

/** Writes table functions in FROM: HOP, SESSION, UNNEST, and user-defined ones. */
final class TableFunctionWriter {
  private final PlanWriter writer;
  private final PlannedQuery plan;

  TableFunctionWriter(PlanWriter writer, PlannedQuery plan) {
    this.writer = writer;
    this.plan = plan;
  }

  void write(ObjectNode json, HopWindows hop) {
    json.set("time", writer.rex().write(hop.time()));
    json.put("slide", hop.period().slide()).put("size", hop.period().size()).put("offset", hop.period().offset());
  }

  void write(ObjectNode json, SessionWindows sessions) {
    json.put("time", sessions.time());
    sessions.keys().forEach(json.putArray("keys")::add);
    json.put("gap", sessions.gap());
    if (!plan.streams().contains(sessions)) {
      json.putNull("closes");
      return;
    }
    NodeOrder input = plan.orders().of(sessions.getInput());
    writer.refuseIf(!input.isByClock(sessions.time()), "SESSION by a time that is not the clock of the query (name the time by which"
        + " the other operators of the query go, or make the sessions in a pump of their own)");
    RexBuilder builder = sessions.getCluster().getRexBuilder();
    // A row that is exactly one gap later still belongs to the session, and can arrive while the bound is at its time.
    json.set("closes", writer.rex().write(Closing.plus(builder, builder.makeInputRef(sessions.getInput(), sessions.time()), sessions.gap() + 1)));
  }

  void write(ObjectNode json, Unnest unnest) {
    json.set("exprs", writer.rex().writeAll(unnest.collections()));
    json.put("ordinality", unnest.ordinality()).put("outer", unnest.outer());
  }

  void write(ObjectNode json, TableProcess process) {
    ProcessFunction function = process.function();
    json.put("function", function.getName()).put("language", function.definition().options().get(UserFunction.LANGUAGE))
        .put("body", function.definition().options().get(UserFunction.BODY)).put("time", process.time());
    process.partition().forEach(json.putArray("partition")::add);
    ArrayNode parameters = json.putArray("parameters");
    function.parameters().forEach(parameter -> parameters.add(parameter.name()));
    json.set("args", writer.rex().writeAll(process.arguments()));
    json.put("delay", function.delay()).put("stateTtl", function.stateTtl());
    writer.refuseIf(json.get("language").textValue().equals("PYTHON") && process.getInput().getRowType().getFieldList().stream()
        .anyMatch(field -> field.getType().getSqlTypeName().getFamily() == SqlTypeFamily.INTERVAL_YEAR_MONTH),
        "intervals of months in the Python function '" + function.getName() + "'");
    if (plan.streams().contains(process)) {
      NodeOrder order = plan.orders().of(process);
      writer.refuseIf(!order.hasClock(), "the table function '" + function.getName() + "' over a stream whose clock is a column other than ROWTIME");
      writer.refuseIf(order.hasClock() && order.clock().stream().anyMatch(ClockStep::varies), "the table function '" + function.getName()
          + "' over a stream whose ROWTIME advances by months or by local time");
    }
  }
}
