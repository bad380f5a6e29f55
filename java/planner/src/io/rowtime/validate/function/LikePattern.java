package io.rowtime.validate.function;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A pattern of LIKE in standard SQL. Spark and Calcite match with a regular expression, which tries all ways to divide a
 * text between the {@code %}. Here, each part between two {@code %} is looked for once, after the part before it: to move
 * an earlier part cannot help. A part without {@code _} is found in time in proportion to the text, and one with
 * {@code _} in at most the time to compare it at each place of the text.
 */
public final class LikePattern {
  private static final char ANY_TEXT = '%';
  private static final char ANY_CHARACTER = '_';
  private static final int SHOWN = 200;

  private final String pattern;
  private final String escape;
  private final boolean ignoresCase;
  /** What is between the {@code %}. */
  private final List<Part> parts = new ArrayList<>();

  /**
   * Reads a pattern.
   *
   * @param escape one character, or empty for none
   * @param ignoresCase whether the case of ASCII letters makes no difference
   * @throws IllegalArgumentException if the pattern has its escape character before a character that needs none
   */
  public LikePattern(String pattern, String escape, boolean ignoresCase) {
    if (escape.codePointCount(0, escape.length()) > 1) {
      throw new IllegalArgumentException("The ESCAPE of a LIKE must be one character, not '" + escape + "'");
    }
    this.pattern = pattern;
    this.escape = escape;
    this.ignoresCase = ignoresCase;
    read();
  }

  /**
   * Checks a pattern.
   *
   * @throws IllegalArgumentException see {@link #LikePattern}
   */
  public static void check(String pattern, String escape) {
    LikePattern unused = new LikePattern(pattern, escape, false);
  }

  private void read() {
    PartBuilder part = new PartBuilder(pattern.length());
    int at = 0;
    while (at < pattern.length()) {
      char c = pattern.charAt(at);
      if (!escape.isEmpty() && pattern.startsWith(escape, at)) {
        at += escape.length();
        int escaped = at < pattern.length() ? pattern.codePointAt(at) : 0;
        if (escaped != ANY_TEXT && escaped != ANY_CHARACTER && escaped != escape.codePointAt(0)) {
          throw new IllegalArgumentException("The LIKE pattern '" + (pattern.length() <= SHOWN ? pattern : pattern.substring(0, SHOWN) + "…")
              + "' has its escape character '" + escape + "' before neither %, _ nor another one");
        }
        part.add(escaped, ignoresCase);
        at += Character.charCount(escaped);
      } else if (c == ANY_TEXT) {
        parts.add(part.build());
        part = new PartBuilder(pattern.length() - at);
        at++;
      } else if (c == ANY_CHARACTER) {
        part.addAny();
        at++;
      } else {
        int character = pattern.codePointAt(at);
        part.add(character, ignoresCase);
        at += Character.charCount(character);
      }
    }
    parts.add(part.build());
  }

  /**
   * Returns whether a whole text matches.
   *
   * @param text in UTF-8
   * @param look called from time to time in a long search, which ends if it throws an exception
   */
  public boolean matches(byte[] text, Runnable look) {
    Part first = parts.get(0);
    int at = first.end(text, 0, text.length, ignoresCase);
    if (parts.size() == 1 || at < 0) {
      return at == text.length;
    }
    Part last = parts.get(parts.size() - 1);
    int end = last.begin(text, at, ignoresCase);
    for (int i = 1; end >= 0 && i < parts.size() - 1; i++) {
      at = parts.get(i).find(text, at, end, ignoresCase, look);
      if (at < 0) {
        return false;
      }
    }
    return end >= 0;
  }

  /** Collects the bytes of a part. */
  private static final class PartBuilder {
    private final int room;
    private short[] bytes = new short[16];
    private int length;
    private boolean hasAny;

    PartBuilder(int room) {
      this.room = room;
    }

    void add(int character, boolean ignoresCase) {
      if (character < 0x80) {
        append(ignoresCase ? inLowerCase((byte) character) : (byte) character);
        return;
      }
      for (byte b : Character.toString(character).getBytes(StandardCharsets.UTF_8)) {
        append(b);
      }
    }

    void addAny() {
      hasAny = true;
      append(Part.ANY);
    }

    private void append(short value) {
      if (length == bytes.length) {
        bytes = Arrays.copyOf(bytes, Math.max(length + 16, Math.min(2 * length, 4 * room)));
      }
      bytes[length++] = value;
    }

    Part build() {
      short[] all = Arrays.copyOf(bytes, length);
      return new Part(all, hasAny ? null : Part.borders(all));
    }
  }

  /**
   * What is between two {@code %}: bytes, and {@link #ANY} for a character of any number of bytes.
   *
   * @param borders for each beginning of the bytes, the length of the longest shorter beginning with which it ends; null
   *     if there is an ANY
   */
  private record Part(short[] bytes, int[] borders) {
    static final short ANY = 256;
    /** How many places are compared before the next look. */
    private static final int LOOK = 1 << 16;

    static int[] borders(short[] bytes) {
      int[] borders = new int[bytes.length];
      int length = 0;
      for (int i = 1; i < bytes.length; i++) {
        while (length > 0 && bytes[i] != bytes[length]) {
          length = borders[length - 1];
        }
        if (bytes[i] == bytes[length]) {
          length++;
        }
        borders[i] = length;
      }
      return borders;
    }

    /** Returns where this part ends if it begins at a place; -1 if it does not. */
    int end(byte[] text, int begin, int limit, boolean ignoresCase) {
      int at = begin;
      for (short wanted : bytes) {
        if (at >= limit) {
          return -1;
        }
        if (wanted == ANY) {
          at = after(text, at, limit);
        } else if (wanted == read(text, at, ignoresCase)) {
          at++;
        } else {
          return -1;
        }
      }
      return at;
    }

    /** Returns where this part begins if it ends with the text; -1 if it does not, or begins before a place. */
    int begin(byte[] text, int least, boolean ignoresCase) {
      int at = text.length;
      for (int i = bytes.length - 1; i >= 0; i--) {
        if (at <= least) {
          return -1;
        }
        at--;
        if (bytes[i] == ANY) {
          while (at > least && isContinuation(text[at])) {
            at--;
          }
        } else if (bytes[i] != read(text, at, ignoresCase)) {
          return -1;
        }
      }
      return at;
    }

    /** Returns where this part ends at its first occurrence between two places; -1 if there is none. */
    int find(byte[] text, int from, int limit, boolean ignoresCase, Runnable look) {
      if (bytes.length == 0) {
        return from;
      }
      return borders == null ? findByPlace(text, from, limit, ignoresCase, look) : findBytes(text, from, limit, ignoresCase);
    }

    private int findBytes(byte[] text, int from, int limit, boolean ignoresCase) {
      int length = 0;
      for (int i = from; i < limit; i++) {
        byte c = read(text, i, ignoresCase);
        while (length > 0 && bytes[length] != c) {
          length = borders[length - 1];
        }
        if (bytes[length] == c && ++length == bytes.length) {
          return i + 1;
        }
      }
      return -1;
    }

    private int findByPlace(byte[] text, int from, int limit, boolean ignoresCase, Runnable look) {
      long compared = 0;
      for (int at = from; at < limit; at = after(text, at, limit)) {
        int end = end(text, at, limit, ignoresCase);
        if (end >= 0) {
          return end;
        }
        compared += bytes.length;
        if (compared > LOOK) {
          look.run();
          compared = 0;
        }
      }
      return -1;
    }

    private static byte read(byte[] text, int at, boolean ignoresCase) {
      return ignoresCase ? inLowerCase(text[at]) : text[at];
    }

    /** Returns the place after the character at a place. */
    private static int after(byte[] text, int at, int limit) {
      int next = at + 1;
      while (next < limit && isContinuation(text[next])) {
        next++;
      }
      return next;
    }

    private static boolean isContinuation(byte b) {
      return (b & 0xC0) == 0x80;
    }
  }

  private static byte inLowerCase(byte b) {
    return b >= 'A' && b <= 'Z' ? (byte) (b - 'A' + 'a') : b;
  }
}
