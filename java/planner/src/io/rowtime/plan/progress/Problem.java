package io.rowtime.plan.progress;

/** Why an operator of a streaming query is refused, or has a warning. */
record Problem(String code, String message, String hint, boolean warning) {
  static Problem error(String code, String message, String hint) {
    return new Problem(code, message, hint, false);
  }
}
