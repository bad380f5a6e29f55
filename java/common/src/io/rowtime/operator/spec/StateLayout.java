package io.rowtime.operator.spec;

/** The version of the operators' state layout, a number that changes whenever an operator changes its layout. */
public final class StateLayout {
  /** 2: Hold stores its rows like the other operators. 3: blocks of state are compressed. 4: rows wait by their own times, not by watermarks. */
  public static final int VERSION = 4;

  /** The version where a key by which rows are partitioned has a column of its own, as equal values of its type have several forms. */
  public static final int WITH_KEY_COLUMNS = 5;

  private StateLayout() {}
}
