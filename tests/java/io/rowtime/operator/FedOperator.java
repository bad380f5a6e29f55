package io.rowtime.operator;

import io.rowtime.state.FakeStates;
import io.rowtime.state.TaskOperator;
import java.util.Iterator;
import java.util.function.Supplier;
import org.apache.spark.sql.catalyst.InternalRow;

/** An operator that receives batches, and restarts from its state if a batch requests it. */
public final class FedOperator {
  public final FakeStates states = new FakeStates();
  private final Supplier<? extends TaskOperator> operators;
  private TaskOperator operator;

  public FedOperator(Supplier<? extends TaskOperator> operators) {
    this.operators = operators;
  }

  /**
   * Processes the rows of a batch, and returns the output.
   *
   * @param clock milliseconds of the rows' own time
   */
  public Iterator<InternalRow> process(Iterator<InternalRow> rows, long clock, boolean forgets) {
    if (operator != null && !forgets) {
      operator.attach(states);
    } else {
      operator = operators.get();
      operator.open(states, states.header);
    }
    return operator.process(rows, (clock + Item.SHIFT) * 1000);
  }

  public void save() {
    states.header = operator.save();
    states.written += states.header.length;
  }

  /** Returns when the operator has to run without rows, in milliseconds of the rows' own time. */
  public long due() {
    long due = operator == null ? Stage.NEVER : operator.due();
    return due == Stage.NEVER ? due : Math.floorDiv(due + 999, 1000L) - Item.SHIFT;
  }
}
