package io.rowtime.records;

import io.rowtime.limits.Texts;
import java.nio.charset.StandardCharsets;
import org.apache.spark.unsafe.types.UTF8String;

/** Records as text. */
final class Utf8 {
  private Utf8() {}

  /** The text of bytes. Raises InvalidRecord if they are not UTF-8. */
  static String decoded(byte[] bytes) throws InvalidRecord {
    String text = new String(bytes, StandardCharsets.UTF_8);
    // Without a replacement character there was nothing to replace.
    int place = text.indexOf(Texts.REPLACEMENT) < 0 ? -1 : Texts.firstNoUtf8(bytes);
    if (place >= 0) {
      throw new InvalidRecord("not UTF-8 (byte " + (place + 1) + ")");
    }
    return text;
  }

  static String decoded(UTF8String bytes) throws InvalidRecord {
    String text = bytes.toString();
    return text.indexOf(Texts.REPLACEMENT) < 0 ? text : decoded(bytes.getBytes());
  }

  /** The first line of a file without the byte order mark that some programs put before it. */
  static String withoutMark(String line) {
    return line.startsWith("\ufeff") ? line.substring(1) : line;
  }
}
