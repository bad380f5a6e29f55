package io.rowtime.serve;

/** Plans and runs the statements of clients; implemented where the session is. */
public interface Backend {
  /**
   * Answers a request.
   *
   * @param request JSON: {@code do} says what is asked, {@code connection} and {@code statement} of which it is asked
   * @return JSON: the answer, or {@code {"errors": [diagnostic, …]}}
   */
  String call(String request);
}
