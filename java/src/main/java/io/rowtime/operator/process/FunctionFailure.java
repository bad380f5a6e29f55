package io.rowtime.operator.process;

/** A function of the user's own has failed, or breaks what it has promised. Its message is for the user. */
final class FunctionFailure extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /**
   * All functions fail with the same words, see {@code rowtime.runtime.faults}. What is told is not the cause: Spark ends the
   * whole JVM where a StackOverflowError is among the causes.
   */
  FunctionFailure(String function, String reason, Throwable told) {
    super("Function '" + function + "' failed: " + reason.replaceAll("\\s+", " "));
    setStackTrace(told.getStackTrace());
  }

  private FunctionFailure(String message) {
    super(message);
  }

  /** One of which a worker has said all. */
  static FunctionFailure said(String message) {
    return new FunctionFailure(message);
  }
}
