package io.rowtime.state;

import io.rowtime.state.values.Input;
import io.rowtime.state.values.Layout;
import io.rowtime.state.values.Output;

/**
 * An operator that keeps everything in entries of its state, and nothing in memory between batches. It runs only when rows arrive.
 */
public abstract class EntriesOperator implements TaskOperator {
  private final String name;
  private final long layout;

  /**
   * @param name the name of the entries
   * @param layout the version of their format
   */
  protected EntriesOperator(String name, long layout) {
    this.name = name;
    this.layout = layout;
  }

  /** Continues with the entries of the next batch. */
  protected abstract void attach(States.Entries entries);

  @Override public final void declare(States states) {
    states.entries(name);
  }

  @Override public final void open(States states, byte[] saved) {
    if (saved != null) {
      checkLayout(new Input(saved).number());
    }
    attach(states);
  }

  /** Throws if the saved entries have a layout that cannot be read. */
  protected void checkLayout(long saved) {
    Layout.check(saved, layout);
  }

  /** Returns the layout of the entries. */
  protected long layout() {
    return layout;
  }

  @Override public final void attach(States states) {
    attach(states.entries(name));
  }

  @Override public final byte[] save() {
    Output to = new Output();
    to.number(layout());
    return to.toBytes();
  }

  @Override public final long due() {
    return NEVER;
  }
}
