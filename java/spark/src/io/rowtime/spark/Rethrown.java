package io.rowtime.spark;

/** Exceptions that leave a method which declares none: Spark's callers expect those of files, interrupts and its own. */
public final class Rethrown {
  private Rethrown() {}

  /** Throws an exception unchanged, whether it is checked or not. Returns nothing: callers can {@code throw} the call. */
  public static RuntimeException unchanged(Throwable fault) {
    throw Rethrown.<RuntimeException>as(fault);
  }

  @SuppressWarnings("unchecked")
  private static <E extends Throwable> RuntimeException as(Throwable fault) throws E {
    throw (E) fault;
  }
}
