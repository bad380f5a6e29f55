package io.rowtime.plan.rel;

import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Sample;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexShuttle;
import org.apache.calcite.sql.SqlOperator;

/** Determines whether the rows of a relation can differ between two reads of it although its tables do not change. */
public final class Variation {
  private Variation() {}

  public static boolean varies(RelNode relation) {
    return Plans.nodes(relation).anyMatch(Variation::chooses);
  }

  /**
   * Returns whether a node, apart from its inputs, depends on the time of reading, on random values, or on a function
   * that may.
   */
  private static boolean chooses(RelNode rel) {
    if (rel instanceof Sample sample) {
      return !sample.getSamplingParameters().isRepeatable();
    }
    Calls calls = new Calls();
    rel.accept(calls);
    return calls.found;
  }

  /** Returns whether an expression depends on the time of reading, on random values, or on a function that may. */
  public static boolean varies(RexNode expression) {
    Calls calls = new Calls();
    expression.accept(calls);
    return calls.found;
  }

  private static final class Calls extends RexShuttle {
    private boolean found;

    @Override public RexNode visitCall(RexCall call) {
      SqlOperator operator = call.getOperator();
      found |= !operator.isDeterministic() || operator.isDynamicFunction();
      return super.visitCall(call);
    }
  }
}
