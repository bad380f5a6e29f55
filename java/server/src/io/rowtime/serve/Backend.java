package io.rowtime.serve;

/** Plans and runs the statements of clients; implemented in Python, which has the session. */
public interface Backend {
  /**
   * Answers a request.
   *
   * @param request JSON: {@code do} is the kind of request; {@code connection} and {@code statement} are what it is
   *     about
   * @return JSON: the answer, or {@code {"errors": [diagnostic, …]}}
   */
  String call(String request);
}
