package io.rowtime.state.values;

/** Version numbers at the start of saved state, which identify its layout. */
public final class Layout {
  private Layout() {}

  /** Throws if another version of rowtime has saved the state. */
  public static void check(long found, long expected) {
    if (found != expected) {
      throw new IllegalStateException("The state was written by another version of rowtime: layout " + found + ", not " + expected);
    }
  }
}
