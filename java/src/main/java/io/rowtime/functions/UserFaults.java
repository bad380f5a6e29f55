package io.rowtime.functions;

/** What is told of a fault of the user's own code: functions, table functions, adapters. */
public final class UserFaults {
  private UserFaults() {}

  /** The class of a fault and its message, as a user reads them. */
  public static String reason(Throwable fault) {
    return fault.getClass().getSimpleName() + (fault.getMessage() == null ? "" : ": " + fault.getMessage());
  }

  /**
   * The failure, with the stack trace of the fault that it tells of. The fault is not its cause: Spark ends the whole JVM
   * where a StackOverflowError is among the causes.
   */
  public static <E extends Exception> E at(E failure, Throwable fault) {
    failure.setStackTrace(fault.getStackTrace());
    return failure;
  }
}
