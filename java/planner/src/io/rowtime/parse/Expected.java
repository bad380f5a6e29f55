package io.rowtime.parse;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The tokens that the parser expected, and where, as a short phrase.
 *
 * <p>The parser names up to two hundred tokens. Those that start an expression are replaced by "an expression", and so
 * on; of the rest a handful is kept, the likeliest first.
 */
final class Expected {
  private static final int MAX_WORDS = 5;

  private static final Set<String> OPERATORS = Set.of("!=", "%", "&", "*", "+", "-", ".", "/", ":", "<", "<<", "<=",
      "<>", "=", ">", ">=", "^", "||", "[", "AND", "OR", "IS", "IN", "NOT", "LIKE", "ILIKE", "RLIKE", "SIMILAR",
      "BETWEEN", "CONTAINS", "EQUALS", "FORMAT", "IMMEDIATELY", "MEMBER", "MULTISET", "OVERLAPS", "PRECEDES",
      "SUBMULTISET", "SUCCEEDS", "ESCAPE", "COLLATE", "FILTER", "OVER", "WITHIN", "IGNORE", "RESPECT", "->", "=>");

  /** In the order in which messages list them. */
  private static final List<String> LIKELY = List.of("INTO", "AS", "BY", "ON", "SET", ")", "]", ",", "*/", "FROM",
      "WHERE", "JOIN", "THEN", "WHEN", "ELSE", "END", "GROUP", "ORDER", "TO", "KEY", "VALUES", "=", "PRIMARY", "NOT",
      "LATENESS", "WATERMARK", "MONOTONIC", "DEFAULT", "PRECEDING", "FOLLOWING", "PARTITION", "ROWS", "RANGE", "UNION");

  /** Rarely intended, and of no help to users who did not intend them. */
  private static final Set<String> RARE = Set.of("ASOF", "CROSS", "EXCEPT", "FETCH", "INTERSECT", "MATCH_RECOGNIZE",
      "MEASURE", "MINUS", "MULTISET", "NATURAL", "OFFSET", "OR", "OUTER", "PIVOT", "QUALIFY", "TABLESAMPLE", "UNPIVOT",
      "UNSIGNED", "/*+", ".", "(");

  /** The index of the token that does not fit. */
  final int index;
  /** The words that would fit there, without quotes: {@code FROM}, {@code )}, {@code <IDENTIFIER>}. */
  final Set<String> words;

  private Expected(int index, Set<String> words) {
    this.index = index;
    this.words = words;
  }

  /**
   * Reads the parser's own report. If the parser looked two tokens ahead and the first one fits, the second does not.
   *
   * @param start the index of the token at which the parser stopped
   */
  static Expected of(Tokens tokens, int start, int[][] sequences, String[] images) {
    int matched = 0;
    for (int[] sequence : sequences) {
      int n = 0;
      while (n < sequence.length - 1 && tokens.kind(start + n) == sequence[n] && start + n < tokens.size()) {
        n++;
      }
      matched = Math.max(matched, n);
    }
    Set<String> words = new LinkedHashSet<>();
    for (int[] sequence : sequences) {
      int n = matched;
      if (sequence.length > n && IntStream.range(0, n).allMatch(i -> sequence[i] == tokens.kind(start + i))) {
        words.add(strip(images[sequence[n]]));
      }
    }
    return new Expected(start + matched, words);
  }

  private static String strip(String image) {
    return image.startsWith("\"") && image.length() > 1 ? image.substring(1, image.length() - 1) : image;
  }

  boolean expression() {
    return words.contains("CASE") && words.contains("CAST");
  }

  boolean operator() {
    return words.contains("+") && words.contains("<=");
  }

  boolean name() {
    return words.contains("<IDENTIFIER>");
  }

  boolean type() {
    return words.contains("BIGINT") && words.contains("VARCHAR");
  }

  private boolean unit() {
    return words.contains("HOUR") && words.contains("MINUTE") && !type() && !expression();
  }

  boolean has(String word) {
    return words.contains(word);
  }

  /** Returns for example {@code FROM, ',' or an expression}; empty if it would not be short. */
  String phrase() {
    List<String> parts = new ArrayList<>();
    Set<String> rest = new LinkedHashSet<>(words);
    if (expression()) {
      parts.add("an expression");
      if (rest.contains("SELECT")) {
        parts.add("a query");
      }
      rest.clear();
    } else if (type()) {
      parts.add("a type");
      rest.clear();
    } else {
      if (unit()) {
        parts.add("a unit of time such as HOUR");
        rest.clear();
      }
      if (name()) {
        parts.add("a name");
      }
      // According to the grammar, a string may be an alias after an expression.
      if (rest.contains("<QUOTED_STRING>") && !operator()) {
        parts.add("a string");
      }
      if (rest.contains("<UNSIGNED_INTEGER_LITERAL>")) {
        parts.add("a number");
        rest.removeAll(List.of("DECIMAL", "?", "+", "-"));
      }
    }
    rest.removeIf(word -> word.startsWith("<") && word.length() > 2);
    if (operator()) {
      rest.removeAll(OPERATORS);
    }
    if (rest.size() > 2) {
      rest.removeAll(RARE);
    }
    rest.stream().sorted((a, b) -> Integer.compare(rank(a), rank(b))).forEach(word -> parts.add(forMessage(word)));
    if (words.contains("<EOF>") && parts.size() < 3) {
      parts.add("the end of the statement");
    }
    return join(parts.stream().limit(MAX_WORDS).toList());
  }

  private static int rank(String word) {
    int rank = LIKELY.indexOf(word);
    return rank < 0 ? LIKELY.size() : rank;
  }

  private static String forMessage(String word) {
    if (word.equals("GROUP") || word.equals("ORDER") || word.equals("PARTITION")) {
      return word + " BY";
    }
    return Character.isLetter(word.charAt(0)) ? word : "'" + word + "'";
  }

  private static String join(List<String> parts) {
    return parts.size() < 2
        ? String.join("", parts)
        : String.join(", ", parts.subList(0, parts.size() - 1)) + " or " + parts.get(parts.size() - 1);
  }

  /** Returns the keywords among the words, to find a misspelled one. */
  List<String> keywords() {
    return words.stream().filter(w -> Character.isLetter(w.charAt(0))).collect(Collectors.toList());
  }

  @Override public String toString() {
    return index + " " + Arrays.toString(words.toArray());
  }
}
