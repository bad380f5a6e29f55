package io.rowtime.plan.rel;

import java.util.function.Predicate;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Sample;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexShuttle;
import org.apache.calcite.sql.SqlFunction;
import org.apache.calcite.sql.SqlFunctionCategory;
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
    Calls calls = new Calls(Variation::varies);
    rel.accept(calls);
    return calls.found;
  }

  /** Returns whether an expression depends on the time of reading, on random values, or on a function that may. */
  public static boolean varies(RexNode expression) {
    return calls(expression, Variation::varies);
  }

  /** Returns whether an expression calls a function that may return another value at each call. The current time is that of all rows. */
  public static boolean callsAnew(RexNode expression) {
    return calls(expression, Variation::variesByCall);
  }

  public static boolean variesByCall(SqlOperator operator) {
    return !operator.isDeterministic() && !(operator instanceof SqlFunction function && function.getFunctionType() == SqlFunctionCategory.TIMEDATE);
  }

  private static boolean varies(SqlOperator operator) {
    return !operator.isDeterministic() || operator.isDynamicFunction();
  }

  /** Returns whether an expression calls one of these operators. */
  public static boolean calls(RexNode expression, Predicate<SqlOperator> operators) {
    Calls calls = new Calls(operators);
    expression.accept(calls);
    return calls.found;
  }

  private static final class Calls extends RexShuttle {
    private final Predicate<SqlOperator> operators;
    private boolean found;

    Calls(Predicate<SqlOperator> operators) {
      this.operators = operators;
    }

    @Override public RexNode visitCall(RexCall call) {
      found |= operators.test(call.getOperator());
      return super.visitCall(call);
    }
  }
}
