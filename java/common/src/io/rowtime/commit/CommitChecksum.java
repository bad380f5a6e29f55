package io.rowtime.commit;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.zip.CRC32;

/**
 * The checksum of a commit file: a CRC-32 of the name of the table's folder, the version, and the file with zeros in
 * place of the checksum. {@code rowtime/delta/commits.py} writes it. Commits of earlier builds have none.
 */
public final class CommitChecksum {
  public static final String FIELD = "rowtimeChecksum";
  private static final byte[] MARK = ("\"" + FIELD + "\":\"").getBytes(StandardCharsets.UTF_8);
  private static final int DIGITS = 8;

  private CommitChecksum() {}

  /** Thrown if a file is not as it was written; the message completes "the file …". */
  public static final class Broken extends Exception {
    private static final long serialVersionUID = 1L;

    Broken(String what) {
      super(what);
    }
  }

  /** Throws Broken unless a commit is as it was written; {@code folder} is the name of the table's folder. */
  public static void check(String folder, long version, byte[] content) throws Broken {
    if (new String(content, StandardCharsets.UTF_8).isBlank()) {
      throw new Broken("is empty");
    }
    int begin = find(content) + MARK.length;
    if (begin < MARK.length) {
      return;
    }
    byte[] blank = content.clone();
    int end = Math.min(begin + DIGITS, blank.length);
    Arrays.fill(blank, begin, end, (byte) '0');
    CRC32 found = new CRC32();
    found.update((folder + "/" + version).getBytes(StandardCharsets.UTF_8));
    found.update(blank);
    if (!text(found).equals(new String(content, begin, end - begin, StandardCharsets.UTF_8))) {
      throw new Broken("does not match its checksum");
    }
  }

  /** Returns the checksum of some content, as text. */
  public static String of(byte[] content) {
    CRC32 found = new CRC32();
    found.update(content);
    return text(found);
  }

  private static String text(CRC32 checksum) {
    return String.format("%08x", checksum.getValue());
  }

  /** Returns the index at which the mark starts, or -1. */
  private static int find(byte[] content) {
    for (int i = 0; i <= content.length - MARK.length; i++) {
      if (Arrays.equals(content, i, i + MARK.length, MARK, 0, MARK.length)) {
        return i;
      }
    }
    return -1;
  }
}
