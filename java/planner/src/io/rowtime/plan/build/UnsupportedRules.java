package io.rowtime.plan.build;

import io.rowtime.plan.node.Operator;
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

/** Makes operators that can be planned and explained but not run yet. */
final class UnsupportedRules {
  private final NodeBuilder nodes;
  private int count;

  UnsupportedRules(NodeBuilder nodes) {
    this.nodes = nodes;
  }

  Operator of(RelNode rel) {
    int number = ++count;
    if (rel instanceof TableFunctionScan function) {
      RexCall call = (RexCall) function.getCall();
      String name = call.getOperator().getName();
      // A DESCRIPTOR is not a value.
      List<RexNode> values = call.getOperands().stream().filter(arg -> !arg.isA(SqlKind.DESCRIPTOR)).toList();
      String window = Untranslated.window(name, values);
      nodes.refuse(window != null ? window : "the table function " + name, rel);
      return new Operator.Unsupported(number, name, nodes.expressions().all(values), null, null, null);
    }
    if (rel instanceof Correlate correlate) {
      // If there is an UNNEST, its own message is used.
      if (Plans.nodes(correlate.getRight()).noneMatch(Uncollect.class::isInstance)) {
        nodes.refuse("a correlated input (LATERAL)", rel);
      }
      return new Operator.Unsupported(number, null, List.of(), correlate.getJoinType(), correlate.getCorrelVariable(), null);
    }
    if (rel instanceof LogicalSnapshot snapshot) {
      nodes.refuse("FOR SYSTEM_TIME AS OF", rel);
      return new Operator.Unsupported(number, null, List.of(), null, null, nodes.expressions().of(snapshot.getPeriod()));
    }
    if (rel instanceof Uncollect) {
      nodes.refuse("a sub-query of this form over UNNEST of an outer column", rel);
    } else if (rel instanceof Match) {
      nodes.refuse("MATCH_RECOGNIZE (compare a row with those around it by LAG, LEAD or FIRST_VALUE OVER)", rel);
    } else {
      nodes.refuse("the operator " + rel.getRelTypeName().replace("Logical", "").toLowerCase(Locale.ROOT), rel);
    }
    return new Operator.Unsupported(number, null, List.of(), null, null, null);
  }
}
