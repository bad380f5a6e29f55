package io.rowtime.commit;

import java.nio.charset.StandardCharsets;

/** The file next to a log that names its newest version; {@code rowtime/delta/head.py} writes it. */
public final class LogHead {
  public static final String NAME = "_head";

  private LogHead() {}

  /** Returns the version in the content of the file; -1 if the content is damaged, or not complete yet. */
  public static long version(byte[] content) {
    String[] parts = new String(content, StandardCharsets.UTF_8).trim().split(" ");
    if (parts.length != 2 || !CommitChecksum.of(parts[0].getBytes(StandardCharsets.UTF_8)).equals(parts[1])) {
      return -1;
    }
    try {
      return Long.parseLong(parts[0]);
    } catch (NumberFormatException e) {
      return -1;
    }
  }
}
