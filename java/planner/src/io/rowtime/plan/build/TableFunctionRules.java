package io.rowtime.plan.build;

import io.rowtime.plan.clock.ClockStep;
import io.rowtime.plan.clock.Closing;
import io.rowtime.plan.monotone.NodeOrder;
import io.rowtime.plan.node.Expression;
import io.rowtime.plan.node.Operator;
import io.rowtime.plan.progress.PlannedQuery;
import io.rowtime.plan.rel.HopWindows;
import io.rowtime.plan.rel.SessionWindows;
import io.rowtime.plan.rel.TableProcess;
import io.rowtime.plan.rel.Unnest;
import io.rowtime.validate.ProcessFunction;
import io.rowtime.validate.UserFunction;
import java.util.List;
import org.apache.calcite.rel.type.RelDataTypeField;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.sql.type.SqlTypeFamily;

/** Makes the operators of table functions in FROM: HOP, SESSION, UNNEST, and user-defined ones. */
final class TableFunctionRules {
  private final NodeBuilder nodes;
  private final PlannedQuery plan;

  TableFunctionRules(NodeBuilder nodes, PlannedQuery plan) {
    this.nodes = nodes;
    this.plan = plan;
  }

  Operator hop(HopWindows hop) {
    return new Operator.Hop(nodes.expressions().of(hop.time()), hop.period().slide(), hop.period().size(), hop.period().offset());
  }

  Operator session(SessionWindows sessions) {
    Expression closes = null;
    if (plan.streams().contains(sessions)) {
      NodeOrder input = plan.orders().of(sessions.getInput());
      nodes.refuseIf(!input.isByClock(sessions.time()), "SESSION by a time that is not the clock of the query (name the time by which"
          + " the other operators of the query go, or make the sessions in a pump of their own)");
      RexBuilder builder = sessions.getCluster().getRexBuilder();
      // A row that is exactly one gap later still belongs to the session, and can arrive while the bound is at its time.
      closes = nodes.expressions().of(Closing.plus(builder, builder.makeInputRef(sessions.getInput(), sessions.time()), sessions.gap() + 1));
    }
    return new Operator.Session(sessions.time(), sessions.keys(), sessions.gap(), closes);
  }

  Operator unnest(Unnest unnest) {
    return new Operator.Unnest(nodes.expressions().all(unnest.collections()), unnest.ordinality(), unnest.outer());
  }

  Operator process(TableProcess process) {
    ProcessFunction function = process.function();
    String language = function.definition().options().get(UserFunction.LANGUAGE);
    nodes.refuseIf(language.equals("PYTHON") && process.getInput().getRowType().getFieldList().stream()
        .anyMatch(field -> field.getType().getSqlTypeName().getFamily() == SqlTypeFamily.INTERVAL_YEAR_MONTH),
        "intervals of months in the Python function '" + function.getName() + "'");
    if (plan.streams().contains(process)) {
      NodeOrder order = plan.orders().of(process);
      nodes.refuseIf(!order.hasClock(), "the table function '" + function.getName() + "' over a stream whose clock is a column other than ROWTIME");
      nodes.refuseIf(order.hasClock() && order.clock().stream().anyMatch(ClockStep::varies), "the table function '" + function.getName()
          + "' over a stream whose ROWTIME advances by months or by local time");
    }
    List<RelDataTypeField> fields = process.getRowType().getFieldList();
    List<RelDataTypeField> results = fields.subList(1 + process.partition().size(), fields.size());
    return new Operator.ProcessRows(function.getName(), language, function.definition().options().get(UserFunction.BODY), process.partition(),
        process.time(), function.parameters().stream().map(parameter -> parameter.name()).toList(), nodes.expressions().all(process.arguments()),
        function.delay(), function.stateTtl(), results.stream().map(field -> SparkTypes.of(field.getType())).toList());
  }
}
