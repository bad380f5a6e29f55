package io.rowtime.limits;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;

/** Finds invalid characters in text, and makes text printable. */
public final class Texts {
  public static final char REPLACEMENT = '\ufffd';

  private Texts() {}

  /** Returns the message for a record that is too long. */
  public static String tooLong(long bytes) {
    return String.format("a record of %,d bytes, of which at most %,d are read", bytes, Limits.RECORD_BYTES);
  }

  /** Returns the offset of the first byte that is not UTF-8, or -1. */
  public static int firstNoUtf8(byte[] bytes) {
    CharsetDecoder decoder = StandardCharsets.UTF_8.newDecoder().onMalformedInput(CodingErrorAction.REPORT)
        .onUnmappableCharacter(CodingErrorAction.REPORT);
    ByteBuffer in = ByteBuffer.wrap(bytes);
    CharBuffer out = CharBuffer.allocate(8192);
    while (true) {
      var result = decoder.decode(in, out, true);
      if (result.isError()) {
        return in.position();
      }
      if (result.isUnderflow()) {
        return -1;
      }
      out.clear();
    }
  }

  /**
   * Returns the index of the first unpaired surrogate at or after {@code from}, which no encoding can represent; or -1.
   */
  public static int loneSurrogate(String text, int from) {
    for (int i = from; i < text.length(); i++) {
      char c = text.charAt(i);
      if (Character.isSurrogate(c)) {
        if (Character.isHighSurrogate(c) && i + 1 < text.length() && Character.isLowSurrogate(text.charAt(i + 1))) {
          i++;
        } else {
          return i;
        }
      }
    }
    return -1;
  }

  /** Returns the text with replacement characters for what is not a character. */
  public static String printable(String text) {
    int lone = loneSurrogate(text, 0);
    if (lone < 0) {
      return text;
    }
    char[] made = text.toCharArray();
    for (; lone >= 0; lone = loneSurrogate(text, lone + 1)) {
      made[lone] = REPLACEMENT;
    }
    return new String(made);
  }

  /** Returns at most {@code most} characters of the beginning of a text. */
  public static String beginning(String text, int most) {
    if (text.length() <= most) {
      return text;
    }
    return text.substring(0, Character.isHighSurrogate(text.charAt(most - 1)) ? most - 1 : most);
  }
}
