package io.rowtime.validate.function;

import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.logical.LogicalTableFunctionScan;

/** A table function that assigns rows to windows. */
public interface WindowFunction extends TableFunction {
  /** Returns the operators of window functions, by what their windows are like. */
  interface Operators {
    /** Returns the operator for windows that follow one another. */
    RelNode consecutive(LogicalTableFunctionScan call);

    /** Returns the operator for windows that overlap. */
    RelNode overlapping(LogicalTableFunctionScan call);

    /** Returns the operator for windows that end when no row arrives for a time. */
    RelNode sessions(LogicalTableFunctionScan call);
  }

  @Override default InputMode inputMode() {
    return InputMode.ROWS;
  }

  /** Returns the operator for a call; the call itself if its lengths are not constant. */
  RelNode operator(LogicalTableFunctionScan call, Operators operators);
}
