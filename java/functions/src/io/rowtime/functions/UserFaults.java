package io.rowtime.functions;

/** Reports exceptions of user code: functions, table functions, adapters. */
public final class UserFaults {
  private UserFaults() {}

  /** Returns the class of an exception and its message, as users see them. */
  public static String reason(Throwable fault) {
    return fault.getClass().getSimpleName() + (fault.getMessage() == null ? "" : ": " + fault.getMessage());
  }

  /**
   * Returns {@code failure} with the stack trace of the exception that it reports. The exception is not its cause,
   * because Spark exits the whole JVM if a StackOverflowError is among the causes.
   */
  public static <E extends Exception> E at(E failure, Throwable fault) {
    failure.setStackTrace(fault.getStackTrace());
    return failure;
  }
}
