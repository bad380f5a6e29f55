package io.rowtime.plan.json;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.rowtime.plan.rel.Plans;
import java.util.List;
import java.util.Locale;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Correlate;
import org.apache.calcite.rel.core.Match;
import org.apache.calcite.rel.core.TableFunctionScan;
import org.apache.calcite.rel.core.Uncollect;
import org.apache.calcite.rel.logical.LogicalSnapshot;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.SqlKind;

/** Writes operators that can be planned and explained but not run yet. */
final class UnsupportedWriter {
  private final PlanWriter writer;

  UnsupportedWriter(PlanWriter writer) {
    this.writer = writer;
  }

  void write(ObjectNode json, RelNode rel) {
    if (rel instanceof TableFunctionScan function) {
      RexCall call = (RexCall) function.getCall();
      // A DESCRIPTOR is not a value.
      List<RexNode> values = call.getOperands().stream().filter(arg -> !arg.isA(SqlKind.DESCRIPTOR)).toList();
      json.put("function", call.getOperator().getName()).set("args", writer.rex().writeAll(values));
      String window = Untranslated.window(call.getOperator().getName(), values);
      writer.refuse(window != null ? window : "the table function " + call.getOperator().getName());
    } else if (rel instanceof Correlate correlate) {
      json.put("joinType", correlate.getJoinType().name()).put("correlation", correlate.getCorrelVariable());
      // If there is an UNNEST, its own message is used.
      if (Plans.nodes(correlate.getRight()).noneMatch(Uncollect.class::isInstance)) {
        writer.refuse("a correlated input (LATERAL)");
      }
    } else if (rel instanceof Uncollect) {
      writer.refuse("a sub-query of this form over UNNEST of an outer column");
    } else if (rel instanceof LogicalSnapshot snapshot) {
      json.set("period", writer.rex().write(snapshot.getPeriod()));
      writer.refuse("FOR SYSTEM_TIME AS OF");
    } else if (rel instanceof Match) {
      writer.refuse("MATCH_RECOGNIZE (compare a row with those around it by LAG, LEAD or FIRST_VALUE OVER)");
    } else {
      writer.refuse("the operator " + rel.getRelTypeName().replace("Logical", "").toLowerCase(Locale.ROOT));
    }
  }
}
