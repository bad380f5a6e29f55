package io.rowtime.state.values;

/** Numbers at the head of saved state, which say how it is laid out. */
public final class Layout {
  private Layout() {}

  /** Refuses state that another version of rowtime has saved. */
  public static void check(long found, long expected) {
    if (found != expected) {
      throw new IllegalStateException("The state was written by another version of rowtime: layout " + found + ", not " + expected);
    }
  }
}
