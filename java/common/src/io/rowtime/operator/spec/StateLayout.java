package io.rowtime.operator.spec;

/** The version of the operators' state layout, a number that changes whenever an operator changes its layout. */
public final class StateLayout {
  /** 2: Hold stores its rows like the other operators. 3: blocks of state are compressed. 4: rows wait by their own times, not by watermarks. */
  public static final int VERSION = 4;

  private StateLayout() {}
}
