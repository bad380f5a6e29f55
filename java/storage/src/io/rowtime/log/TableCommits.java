package io.rowtime.log;

/** Provides the versions of a table whose changes a streaming query reads; implemented in Python, which knows the catalog. */
public interface TableCommits {
  /** Returns the number of the newest version; null on failure. */
  String newest();

  /**
   * Returns how the data files differ between two versions: a line, and then what {@link LogFiles#readChanges} takes; null on
   * failure. The line has the number of rows that these files add or remove, a space, and {@code net} if most of them may come
   * from files that were only written again, else {@code each}.
   *
   * @param before the version that the query has read; empty if none
   */
  String changes(String before, String version);

  /** Returns why the last call failed: the code of a diagnostic, a space, and its message. */
  String failure();
}
