package io.rowtime.operator.process;

import io.rowtime.functions.UserFaults;

/** A function of the user's own has failed, or breaks what it has promised. Its message is for the user. */
final class FunctionFailure extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private FunctionFailure(String message) {
    super(message);
  }

  /** All functions fail with the same words, see {@code rowtime.runtime.faults}. */
  static FunctionFailure of(String function, String reason, Throwable fault) {
    return UserFaults.at(new FunctionFailure("Function '" + function + "' failed: " + reason.replaceAll("\\s+", " ")), fault);
  }

  /** One of which a worker has said all. */
  static FunctionFailure said(String message) {
    return new FunctionFailure(message);
  }
}
