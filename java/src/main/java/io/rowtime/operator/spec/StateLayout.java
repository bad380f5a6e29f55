package io.rowtime.operator.spec;

/** The version of the operators' state layout, a number that changes whenever an operator changes its layout. */
public final class StateLayout {
  /** 2: Hold stores its rows like the other operators. 3: blocks of state are compressed. */
  public static final int VERSION = 3;

  private StateLayout() {}
}
