package io.rowtime.operator.process;

import io.rowtime.functions.UserFaults;

/** Thrown if a user-defined function fails, or violates its contract. The message is for the user. */
final class FunctionFailure extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private FunctionFailure(String message) {
    super(message);
  }

  /**
   * Returns the failure of a function. All functions fail with the same messages, see {@code rowtime.runtime.faults}.
   */
  static FunctionFailure of(String function, String reason, Throwable fault) {
    return UserFaults.at(new FunctionFailure("Function '" + function + "' failed: " + reason.replaceAll("\\s+", " ")), fault);
  }

  /** Returns a failure whose complete message comes from a worker. */
  static FunctionFailure withMessage(String message) {
    return new FunctionFailure(message);
  }
}
