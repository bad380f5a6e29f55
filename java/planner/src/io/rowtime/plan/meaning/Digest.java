package io.rowtime.plan.meaning;

import com.google.common.hash.Hashing;
import java.nio.charset.StandardCharsets;

/** Shortens texts that are compared: a long one becomes its beginning and a hash of the whole. */
public final class Digest {
  private static final int HASH_LENGTH = 20;

  private Digest() {}

  /** Returns a text of at most {@code limit} characters that differs if the whole text does. */
  static String shorten(String text, int limit) {
    if (text.length() <= limit) {
      return text;
    }
    int end = limit - HASH_LENGTH - 2;
    return text.substring(0, Character.isHighSurrogate(text.charAt(end - 1)) ? end - 1 : end) + "…#" + hash(text, HASH_LENGTH);
  }

  /** Returns the first hexadecimal digits of a hash of a text. */
  public static String hash(String text, int length) {
    return Hashing.sha256().hashString(text, StandardCharsets.UTF_8).toString().substring(0, length);
  }
}
