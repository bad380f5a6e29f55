package io.rowtime.parse;

import java.util.List;
import org.apache.calcite.sql.parser.SqlAbstractParserImpl;
import org.apache.calcite.sql.parser.SqlParser;

/** Properties of single words in the language. */
final class Words {
  private static final SqlAbstractParserImpl.Metadata METADATA = SqlParser.create(" ", Parsers.CONFIG).getMetadata();

  private Words() {}

  /** Returns whether an upper-case word must be quoted to be a name. */
  static boolean isReserved(String word) {
    return METADATA.isReservedWord(word);
  }

  /** Returns whether an upper-case word is a keyword, reserved or not. */
  static boolean isKeyword(String word) {
    return METADATA.isKeyword(word);
  }

  /** Returns the candidate at edit distance one from the word, or two if the word is long; null if there is none. */
  static String nearest(String word, List<String> candidates) {
    if (word.length() < 3) {
      return null;
    }
    String best = null;
    int least = word.length() < 6 ? 1 : 2;
    for (String candidate : candidates) {
      int distance = candidate.equals(word) || candidate.length() < 3 ? Integer.MAX_VALUE : distance(word, candidate);
      if (distance < least || distance == least && best == null) {
        best = candidate;
        least = distance;
      }
    }
    return best;
  }

  /** Returns the number of letters to insert, delete, replace or swap with their neighbor. */
  private static int distance(String a, String b) {
    if (Math.abs(a.length() - b.length()) > 2) {
      return Integer.MAX_VALUE;
    }
    int[][] d = new int[a.length() + 1][b.length() + 1];
    for (int i = 0; i <= a.length(); i++) {
      for (int j = 0; j <= b.length(); j++) {
        if (i == 0 || j == 0) {
          d[i][j] = i + j;
          continue;
        }
        int same = a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1;
        d[i][j] = Math.min(Math.min(d[i - 1][j], d[i][j - 1]) + 1, d[i - 1][j - 1] + same);
        if (i > 1 && j > 1 && a.charAt(i - 1) == b.charAt(j - 2) && a.charAt(i - 2) == b.charAt(j - 1)) {
          d[i][j] = Math.min(d[i][j], d[i - 2][j - 2] + 1);
        }
      }
    }
    return d[a.length()][b.length()];
  }
}
