package io.rowtime.parse;

import java.util.Optional;
import java.util.stream.Stream;
import org.apache.calcite.runtime.CalciteContextException;
import org.apache.calcite.runtime.CalciteException;
import org.apache.calcite.sql.parser.SqlParseException;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.validate.SqlValidatorException;

/** Converts exceptions of the parser to a {@link ParseError}: what was found, what was expected, and the way out. */
public final class ParseErrors {
  private static final String SYNTAX = "RT0001";
  private static final String LEXICAL = "RT0002";
  private static final String NESTING = "RT0003";
  private static final String EMPTY = "RT0004";

  private ParseErrors() {}

  /**
   * Describes why {@code sql} could not be parsed. Never throws.
   *
   * @param failure the exception that {@link Parsers} threw
   */
  public static ParseError of(String sql, Throwable failure) {
    try {
      return describe(sql, failure);
    } catch (RuntimeException | StackOverflowError e) {
      // A failure of the description must not hide that the statement is wrong.
      return error(SYNTAX, new SqlParserPos(1, 1), "This statement cannot be parsed", null);
    }
  }

  private static ParseError describe(String sql, Throwable failure) {
    Tokens tokens = new Tokens(sql);
    if (tooDeep(failure)) {
      return error(NESTING, deepest(sql, tokens, failure), "The statement is nested too deeply", "Split it into views");
    }
    SqlParseException e = failure instanceof SqlParseException s ? s : null;
    SqlParserPos pos = e == null || e.getPos() == null ? tokens.pos(0) : e.getPos();
    Optional<UnclosedToken> unclosed = UnclosedToken.in(sql).filter(u -> !before(pos, u.pos()));
    if (unclosed.isPresent()) {
      UnclosedToken u = unclosed.get();
      return error(LEXICAL, u.pos(), "The " + u.what() + " that begins here is not closed",
          "Add the closing " + u.end());
    }
    if (e != null && lexical(e)) {
      return character(sql, e.getPos());
    }
    if (tokens.isEmpty()) {
      return error(EMPTY, new SqlParserPos(1, 1), "There is no statement here", null);
    }
    if (!Hints.BEGINNINGS.contains(tokens.word(0))) {
      return error(SYNTAX, tokens.pos(0), "A statement cannot begin with " + Hints.forMessage(tokens.image(0)),
          Hints.beginning(tokens));
    }
    if (e != null && e.getExpectedTokenSequences() != null && e.getTokenImages() != null) {
      // The parser reports the end of the text at the position of the last character.
      int start = e.getMessage().startsWith("Encountered \"<EOF>\"") ? tokens.size() : tokens.indexAt(pos);
      return syntax(tokens, Expected.of(tokens, start, e.getExpectedTokenSequences(), e.getTokenImages()));
    }
    return ofRule(tokens, pos, e == null ? failure : e.getCause());
  }

  private static ParseError syntax(Tokens tokens, Expected expected) {
    String phrase = expected.phrase();
    String image = tokens.image(expected.index);
    String slip = Hints.slip(tokens, expected);
    Optional<Construct.Found> other = slip == null ? OtherDialects.find(tokens, expected.index) : Optional.empty();
    if (other.isPresent() && other.get().index() != expected.index) {
      return unexpected(tokens, other.get());
    }
    String message;
    if (image.isEmpty()) {
      message = "Unexpected end of the statement" + (phrase.isEmpty() ? "" : ", expected " + phrase);
    } else if (image.equals("\"")) {
      message = "A name cannot be empty";
    } else {
      message = "Unexpected " + Hints.forMessage(image) + (phrase.isEmpty() ? "" : ", expected " + phrase);
    }
    String hint = slip != null ? slip : other.map(Construct.Found::hint).orElseGet(() -> Hints.of(tokens, expected));
    return error(SYNTAX, tokens.pos(expected.index), message, hint);
  }

  /** Returns the error for a word of another dialect, at which the parser has stopped or which it took for a name. */
  private static ParseError unexpected(Tokens tokens, Construct.Found word) {
    return error(SYNTAX, tokens.pos(word.index()), "Unexpected " + Hints.forMessage(tokens.image(word.index())), word.hint());
  }

  /**
   * Returns the error for a character that cannot start a token. The parser reports the column of the next character,
   * which it had already read.
   */
  private static ParseError character(String sql, SqlParserPos pos) {
    String line = sql.lines().skip(pos.getLineNum() - 1L).findFirst().orElse("");
    int index = Math.max(0, Math.min(pos.getColumnNum() - 1, line.length() - 1));
    if (index > 0 && line.charAt(index - 1) == '!') {
      index--;
    }
    String character = line.isEmpty() ? "" : line.substring(index, line.offsetByCodePoints(index, 1));
    boolean printable = !character.isEmpty() && character.codePoints().noneMatch(Character::isISOControl)
        && !character.isBlank();
    String shown = printable ? "'" + character + "'"
        : String.format("character U+%04X", character.isEmpty() ? 0 : character.codePointAt(0));
    SqlParserPos place = new SqlParserPos(pos.getLineNum(), index + 1);
    return error(LEXICAL, place, "Unexpected " + shown, Hints.character(Stream.of("!~", "#>").filter(o -> line.startsWith(o, place.getColumnNum() - 1)).findFirst().orElse(character)));
  }

  /** Returns the error that a grammar rule itself reports. */
  private static ParseError ofRule(Tokens tokens, SqlParserPos pos, Throwable cause) {
    String message = cause instanceof CalciteContextException || cause instanceof CalciteException
        || cause instanceof SqlValidatorException ? cause.getMessage() : null;
    if (message == null) {
      return error(SYNTAX, pos, "This statement cannot be parsed", null);
    }
    Optional<Construct.Found> other = OtherDialects.find(tokens, tokens.indexAt(pos));
    if (message.startsWith("Non-query expression")) {
      return other.isPresent() ? unexpected(tokens, other.get()) : error(SYNTAX, pos, "Expected a query, found an expression", null);
    }
    if (message.startsWith("'LIMIT start, count'")) {
      return error(SYNTAX, pos, "LIMIT takes one number", "Write LIMIT count OFFSET start");
    }
    if (message.startsWith("Query expression")) {
      return error(SYNTAX, pos, "A query is not allowed here", "Put it in parentheses, or compute it in a sub-query in FROM");
    }
    if (message.startsWith("Join expression")) {
      return error(SYNTAX, pos, "A join is not allowed here", null);
    }
    if (message.contains("java.lang.Integer")) {
      return error(SYNTAX, pos, message.replaceFirst("Literal ('.*?').*", "The number $1 is too large here"), null);
    }
    return error(SYNTAX, pos, message.replaceAll("\\b(?:[a-z]+\\.){2,}([A-Z]\\w*)", "$1"), other.map(Construct.Found::hint).orElse(null));
  }

  private static boolean tooDeep(Throwable failure) {
    for (Throwable t = failure; t != null; t = t.getCause()) {
      if (t instanceof StackOverflowError || t instanceof TooDeepException) {
        return true;
      }
    }
    return false;
  }

  /** Returns the place of what is too deep: what the parser has refused, else the call that is deepest in the tree. */
  private static SqlParserPos deepest(String sql, Tokens tokens, Throwable failure) {
    if (failure instanceof SqlParseException e) {
      return e.getCause() instanceof TooDeepException deep ? deep.pos() : tokens.pos(tokens.deepest());
    }
    try {
      return Nesting.deepest(Parsers.parseStatement(sql)).getParserPosition();
    } catch (SqlParseException e) {
      return deepest(sql, tokens, e);
    }
  }

  private static boolean lexical(SqlParseException e) {
    return e.getPos() != null && e.getMessage() != null && e.getMessage().startsWith("Lexical error");
  }

  private static boolean before(SqlParserPos a, SqlParserPos b) {
    return a.getLineNum() < b.getLineNum()
        || a.getLineNum() == b.getLineNum() && a.getColumnNum() < b.getColumnNum();
  }

  private static ParseError error(String code, SqlParserPos pos, String message, String hint) {
    return new ParseError(code, message,
        pos.getLineNum(), pos.getColumnNum(), pos.getEndLineNum(), pos.getEndColumnNum(), hint);
  }
}
