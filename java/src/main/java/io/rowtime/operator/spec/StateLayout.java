package io.rowtime.operator.spec;

/** How operators lay out their state, as a number that changes whenever one of them does it in another way. */
public final class StateLayout {
  /** 2: Hold keeps its rows as the other operators do. */
  public static final int VERSION = 2;

  private StateLayout() {}
}
