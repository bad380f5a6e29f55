package io.rowtime.functions;

import java.util.Random;

/** Short random texts. */
final class RandomTexts {
  private RandomTexts() {}

  /** Returns a text of up to 8 of the characters. */
  static String next(Random chance, String characters) {
    int[] all = characters.codePoints().toArray();
    StringBuilder text = new StringBuilder();
    for (int i = chance.nextInt(9); i > 0; i--) {
      text.appendCodePoint(all[chance.nextInt(all.length)]);
    }
    return text.toString();
  }
}
