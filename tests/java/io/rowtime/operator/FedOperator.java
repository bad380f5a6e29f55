package io.rowtime.operator;

import io.rowtime.state.FakeStates;
import io.rowtime.state.TaskOperator;
import java.util.Iterator;
import java.util.function.Supplier;
import org.apache.spark.sql.catalyst.InternalRow;

/** An operator that is fed batch by batch, and begins anew from its states where a batch says so. */
public final class FedOperator {
  public final FakeStates states = new FakeStates();
  private final Supplier<? extends TaskOperator> operators;
  private TaskOperator operator;

  public FedOperator(Supplier<? extends TaskOperator> operators) {
    this.operators = operators;
  }

  /**
   * Takes the rows of a batch, and gives what comes out.
   *
   * @param clock in milliseconds, in the rows' own time
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

  /** When it wants to be called without rows, in the rows' own milliseconds. */
  public long due() {
    long due = operator == null ? Stage.NEVER : operator.due();
    return due == Stage.NEVER ? due : Math.floorDiv(due + 999, 1000L) - Item.SHIFT;
  }
}
