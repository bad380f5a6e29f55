package io.rowtime.parse;

import java.util.Optional;
import org.apache.calcite.sql.parser.SqlParserPos;

/**
 * A string, quoted name or comment that is not closed.
 *
 * @param what the kind of token
 * @param end the characters that would close it
 * @param pos the range from its start to the end of that line
 */
record UnclosedToken(String what, String end, SqlParserPos pos) {

  /**
   * Finds the unclosed token of a text. There is at most one, because the first swallows the rest; a quoted name ends
   * with its line at the latest.
   */
  static Optional<UnclosedToken> in(String sql) {
    int i = 0;
    while (i < sql.length()) {
      char c = sql.charAt(i);
      int next;
      if (c == '\'') {
        next = closing(sql, i, '\'', sql.length());
        if (next < 0) {
          return Optional.of(new UnclosedToken("string", "'", lineFrom(sql, i)));
        }
      } else if (c == '"') {
        next = closing(sql, i, '"', endOfLine(sql, i));
        if (next < 0) {
          return Optional.of(new UnclosedToken("quoted name", "\"", lineFrom(sql, i)));
        }
      } else if (sql.startsWith("/*", i)) {
        int close = sql.indexOf("*/", i + 2);
        if (close < 0) {
          return Optional.of(new UnclosedToken(sql.startsWith("/*+", i) ? "hint" : "comment", "*/", lineFrom(sql, i)));
        }
        next = close + 2;
      } else if (sql.startsWith("--", i) || sql.startsWith("//", i)) {
        next = endOfLine(sql, i);
      } else {
        next = i + 1;
      }
      i = next;
    }
    return Optional.empty();
  }

  /** Returns the index after the closing quote, or -1. A doubled quote is a character of the text. */
  private static int closing(String sql, int open, char quote, int end) {
    for (int i = open + 1; i < end; i++) {
      if (sql.charAt(i) == quote) {
        if (i + 1 < end && sql.charAt(i + 1) == quote) {
          i++;
        } else {
          return i + 1;
        }
      }
    }
    return -1;
  }

  private static int endOfLine(String sql, int from) {
    int i = from;
    while (i < sql.length() && sql.charAt(i) != '\n' && sql.charAt(i) != '\r') {
      i++;
    }
    return i;
  }

  private static SqlParserPos lineFrom(String sql, int index) {
    SqlParserPos start = posOf(sql, index);
    return new SqlParserPos(start.getLineNum(), start.getColumnNum(), start.getLineNum(),
        start.getColumnNum() + endOfLine(sql, index) - index - 1);
  }

  /** Returns the line and column of a character. */
  static SqlParserPos posOf(String sql, int index) {
    int line = 1;
    int column = 1;
    for (int i = 0; i < index; i++) {
      char c = sql.charAt(i);
      if (c == '\n' || c == '\r' && !(i + 1 < sql.length() && sql.charAt(i + 1) == '\n')) {
        line++;
        column = 1;
      } else {
        column++;
      }
    }
    return new SqlParserPos(line, column);
  }
}
