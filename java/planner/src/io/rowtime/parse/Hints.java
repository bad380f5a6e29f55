package io.rowtime.parse;

import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Hints for common mistakes. Each rule looks at the token that does not fit and its neighbors; the first rule that
 * applies wins.
 */
final class Hints {
  static final List<String> BEGINNINGS = List.of("SELECT", "INSERT", "CREATE", "DROP", "ALTER", "WITH", "VALUES",
      "SHOW", "DESCRIBE", "EXPLAIN", "LATENESS", "UPDATE", "DELETE", "MERGE", "TABLE", "COMMIT", "ROLLBACK",
      "SAVEPOINT", "(");

  private static final String QUOTES = "Names are quoted with double quotes";

  static final String PARAMETER = "A parameter is written ?, in JDBC and in Python's DB-API; elsewhere write the value";

  private static final Set<String> CLAUSES = Set.of("FROM", "WHERE", "GROUP", "HAVING", "ORDER", "WINDOW", "QUALIFY",
      "UNION", "INTERSECT", "EXCEPT", "ON", "USING", "LIMIT", "OFFSET", "FETCH", "THEN", "ELSE", "END", "AND", "OR",
      "SET", "VALUES", "JOIN", "INNER", "LEFT", "RIGHT", "FULL", "CROSS", "AS", "SELECT", "PARTITION", "ROWS",
      "RANGE");

  private static final Set<String> NEEDS_BY = Set.of("GROUP", "ORDER", "PARTITION");

  /** Words that start a literal, and that users like to use as names. */
  private static final Set<String> LITERALS = Set.of("DATE", "TIME", "TIMESTAMP", "INTERVAL");

  private Hints() {}

  /** Returns a hint for a slip that is one in every dialect, or null. */
  static String slip(Tokens tokens, Expected expected) {
    int i = expected.index;
    String word = tokens.word(i);
    String before = tokens.word(i - 1);
    if (word.equals(";")) {
      return "Pass one statement at a time, without the ';' at its end";
    }
    if (word.equals("=") && before.equals("=")) {
      return "Use a single = for equality";
    }
    if (word.equals("&") && before.equals("&")) {
      return "Use AND";
    }
    if (word.equals(")") && tokens.openParenthesis(i) < 0) {
      return "This ')' has no matching '('";
    }
    if (word.isEmpty() && expected.has(")") && tokens.openParenthesis(i) >= 0) {
      int open = tokens.openParenthesis(i);
      return "The '(' at line " + tokens.pos(open).getLineNum() + ", column " + tokens.pos(open).getColumnNum()
          + " is not closed";
    }
    if (word.equals("STREAM") && (expected.expression() || expected.has("LATERAL"))) {
      return "STREAM comes right after SELECT";
    }
    if (expected.has("AS") && Set.of("SELECT", "INSERT", "WITH", "VALUES").contains(word)) {
      return "Is AS missing before " + word + "?";
    }
    if (clause(tokens, i) && before.equals(",") && expected.expression()) {
      return "Remove the comma before " + word + ", or add what should follow it";
    }
    if (word.equals(")") && before.equals(",")) {
      return "Remove the comma before ), or add what should follow it";
    }
    return null;
  }

  /** Returns a hint for the token at which the parser stopped, or null. */
  static String of(Tokens tokens, Expected expected) {
    int i = expected.index;
    String word = tokens.word(i);
    String before = tokens.word(i - 1);
    String type = expected.type() ? OtherTypes.hint(word) : null;
    if (type != null) {
      return type;
    }
    String meant = misspelledKeyword(tokens, expected, i);
    if (meant != null) {
      return meant;
    }
    // FROM after "a," is a clause; FROM among the columns of CREATE TABLE is a name.
    boolean left = clause(tokens, i) && (expected.expression() || before.equals("AS") || before.equals("."));
    if (expected.name() && !left && Words.isReserved(word)) {
      return quote(word);
    }
    if (LITERALS.contains(before) && expected.has("<QUOTED_STRING>")) {
      return quote(before);
    }
    if (before.equals("[") || word.equals("[")) {
      return expected.name() ? QUOTES : null;
    }
    return expected.has(",") && startsItem(tokens.image(i)) && !CLAUSES.contains(word)
        ? "Is a comma missing before " + forMessage(tokens.image(i)) + "?" : null;
  }

  private static boolean clause(Tokens tokens, int i) {
    return CLAUSES.contains(tokens.word(i)) && hasBy(tokens.word(i), tokens, i + 1);
  }

  private static String quote(String word) {
    return word + " is a reserved word; to use it as a name, quote it: \"" + word + "\"";
  }

  /** Returns a hint about a misspelled keyword: this word, or the previous one, which was taken for a name. */
  private static String misspelledKeyword(Tokens tokens, Expected expected, int i) {
    String here = Words.nearest(tokens.word(i), expected.keywords());
    if (here != null && hasBy(here, tokens, i + 1)) {
      return "Did you mean " + here + "?";
    }
    String before = tokens.word(i - 1);
    String there = Words.isKeyword(before) ? null : Words.nearest(before, expected.keywords());
    return there == null || !hasBy(there, tokens, i) ? null : "Did you mean " + there + " instead of " + tokens.image(i - 1) + "?";
  }

  /** Returns whether BY is at {@code next}, if a keyword needs it. */
  private static boolean hasBy(String keyword, Tokens tokens, int next) {
    return !NEEDS_BY.contains(keyword) || tokens.word(next).equals("BY");
  }

  /** Returns a hint for a statement whose first word starts no statement. */
  static String beginning(Tokens tokens) {
    Optional<Construct.Found> known = OtherStatements.beginning(tokens);
    if (known.isPresent()) {
      return known.get().hint();
    }
    String meant = Words.nearest(tokens.word(0), BEGINNINGS);
    return meant != null ? "Did you mean " + meant + "?"
        : "Statements begin with SELECT, INSERT, UPDATE, DELETE, MERGE, CREATE, DROP, ALTER, SHOW, DESCRIBE or EXPLAIN";
  }

  /** Returns a hint for a character that is not part of SQL, or null. */
  static String character(String character) {
    return switch (character) {
      case "#" -> "Comments begin with --";
      case "#>" -> OtherDialects.JSON;
      case "@" -> PARAMETER;
      case "!" -> "Use <> or != for inequality, and NOT for negation";
      case "~", "!~" -> "REGEXP_LIKE(text, 'pattern') matches a regular expression, and LIKE a pattern with % and _";
      case "`" -> QUOTES;
      case "\u2018", "\u2019", "\u201c", "\u201d" ->
          "This is a typographic quote; SQL takes ' around text and \" around names";
      case "\u00a0" -> "This is a no-break space; replace it by a plain one";
      default -> null;
    };
  }

  private static boolean startsItem(String image) {
    return !image.isEmpty() && (Character.isLetterOrDigit(image.charAt(0)) || "\"'_".indexOf(image.charAt(0)) >= 0);
  }

  /** Returns a token for a message, cut if it is long. */
  static String forMessage(String image) {
    String text = image.replaceAll("\\s+", " ").replaceAll("\\p{Cntrl}", "\ufffd");
    String shown = text.length() > 40 ? text.substring(0, 37) + "…" : text;
    return text.startsWith("'") ? shown : "'" + shown + "'";
  }
}
