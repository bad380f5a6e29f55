package io.rowtime.operator;

import io.rowtime.state.Rows;
import io.rowtime.state.States;
import io.rowtime.state.TaskOperator;
import io.rowtime.state.values.Input;
import io.rowtime.state.values.Output;

/** Evaluates some of the windows: takes rows in order of (time, seq), gives them back with results. */
public interface Stage {
  /** Nothing is due. */
  long NEVER = TaskOperator.NEVER;

  /** Names all state that may be needed. */
  void declare(States states);

  /** @param saved what {@link #save} gave after the batch before, or null at the beginning */
  void open(States states, Input saved);

  /** The same after a batch for which this was kept in memory: only where the state lies is new. */
  void attach(States states);

  /**
   * @param rows rows that follow those of earlier calls; none if only the clock has moved
   * @param clock bound of the rows, in microseconds of the watermark
   */
  OutputBatch process(Rows rows, long clock);

  /** When there is something to do without a row, in microseconds of the watermark, or {@link #NEVER}. */
  long due();

  void save(Output to);
}
