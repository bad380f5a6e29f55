package io.rowtime.operator;

import io.rowtime.state.Rows;
import io.rowtime.state.States;
import io.rowtime.state.TaskOperator;
import io.rowtime.state.values.Input;
import io.rowtime.state.values.Output;

/** Evaluates some of the windows: receives rows in order of (time, seq), and returns them with results. */
public interface Stage {
  /** No time is due. */
  long NEVER = TaskOperator.NEVER;

  /** Declares all state that may be needed. */
  void declare(States states);

  /** @param saved the result of {@link #save} after the previous batch, or null at the beginning */
  void open(States states, Input saved);

  /**
   * Restores the stage after a batch for which this stage was kept in memory: only the location of the state is new.
   */
  void attach(States states);

  /**
   * @param rows rows that follow those of earlier calls; none if only the clock has advanced
   * @param clock the bound of the rows, in microseconds of the watermark
   */
  OutputBatch process(Rows rows, long clock);

  /** Returns when the stage has to run without a row, in microseconds of the watermark, or {@link #NEVER}. */
  long due();

  void save(Output to);
}
