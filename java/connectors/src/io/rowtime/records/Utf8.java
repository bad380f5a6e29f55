package io.rowtime.records;

import io.rowtime.limits.Texts;
import java.nio.charset.StandardCharsets;
import org.apache.spark.unsafe.types.UTF8String;

/** Decodes records as text. */
final class Utf8 {
  private Utf8() {}

  /** Returns the text of bytes. Throws InvalidRecord if they are not UTF-8. */
  static String decode(byte[] bytes) throws InvalidRecord {
    String text = new String(bytes, StandardCharsets.UTF_8);
    // Without a replacement character, nothing was replaced.
    int place = text.indexOf(Texts.REPLACEMENT) < 0 ? -1 : Texts.firstNoUtf8(bytes);
    if (place >= 0) {
      throw new InvalidRecord("not UTF-8 (byte " + (place + 1) + ")");
    }
    return text;
  }

  static String decode(UTF8String bytes) throws InvalidRecord {
    String text = bytes.toString();
    return text.indexOf(Texts.REPLACEMENT) < 0 ? text : decode(bytes.getBytes());
  }

  /** Returns the first line of a file without the byte order mark that some programs write. */
  static String withoutMark(String line) {
    return line.startsWith("\ufeff") ? line.substring(1) : line;
  }
}
