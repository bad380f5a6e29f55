package io.rowtime.parse;

import io.rowtime.limits.Texts;
import io.rowtime.parse.generated.RowtimeParserImpl;
import org.apache.calcite.avatica.util.Casing;
import org.apache.calcite.avatica.util.Quoting;
import org.apache.calcite.runtime.CalciteContextException;
import org.apache.calcite.sql.SqlCharStringLiteral;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlLiteral;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.parser.SqlParseException;
import org.apache.calcite.sql.parser.SqlParser;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.util.SqlBasicVisitor;
import org.apache.calcite.util.NlsString;

/**
 * Parses SQL text to a syntax tree. {@link SqlText} does the reverse; {@link ParseErrors} describes syntax errors.
 *
 * <p>These methods throw {@code SqlParseException} only; too deep nesting is its cause, not an error of its own.
 */
public final class Parsers {
  /** Unquoted names fold to upper case, double-quoted ones keep their case, and matching ignores case. */
  public static final SqlParser.Config CONFIG =
      SqlParser.config()
          .withParserFactory(RowtimeParserImpl.FACTORY)
          .withUnquotedCasing(Casing.TO_UPPER)
          .withQuotedCasing(Casing.UNCHANGED)
          .withQuoting(Quoting.DOUBLE_QUOTE)
          .withCaseSensitive(false)
          .withConformance(ParserConformance.INSTANCE);

  private Parsers() {}

  /** Parses one statement, without a trailing semicolon. */
  public static SqlNode parseStatement(String sql) throws SqlParseException {
    return parse(sql, SqlParser::parseStmt);
  }

  /** Parses an expression, such as a column's LATENESS in the catalog. */
  public static SqlNode parseExpression(String sql) throws SqlParseException {
    return parse(sql, SqlParser::parseExpression);
  }

  private static SqlNode parse(String sql, Rule rule) throws SqlParseException {
    try {
      Nesting.checkText(sql);
      SqlNode parsed = rule.parse(SqlParser.create(sql, CONFIG));
      Nesting.checkTree(parsed);
      return wholeCharacters(parsed);
    } catch (TooDeepException e) {
      throw new SqlParseException(e.getMessage(), e.pos(), null, null, e);
    }
  }

  /** Where the grammar begins. */
  private interface Rule {
    SqlNode parse(SqlParser parser) throws SqlParseException;
  }

  /**
   * Refuses {@code U&'\D800'}, half of a surrogate pair: it cannot be encoded, and Spark would turn it into a question
   * mark.
   */
  private static SqlNode wholeCharacters(SqlNode parsed) throws SqlParseException {
    CalciteContextException[] found = new CalciteContextException[1];
    parsed.accept(new SqlBasicVisitor<Void>() {
      @Override public Void visit(SqlLiteral literal) {
        if (literal instanceof SqlCharStringLiteral text) {
          check(text.getValueAs(NlsString.class).getValue(), literal.getParserPosition());
        }
        return null;
      }

      @Override public Void visit(SqlIdentifier name) {
        name.names.forEach(part -> check(part, name.getParserPosition()));
        return null;
      }

      private void check(String text, SqlParserPos pos) {
        int half = Texts.loneSurrogate(text, 0);
        if (half >= 0 && found[0] == null) {
          found[0] = SyntaxErrors.at(pos,
              String.format("Unpaired surrogate U+%04X", (int) text.charAt(half)));
        }
      }
    });
    if (found[0] != null) {
      SqlParserPos pos = new SqlParserPos(found[0].getPosLine(), found[0].getPosColumn(),
          found[0].getEndPosLine(), found[0].getEndPosColumn());
      throw new SqlParseException(found[0].getMessage(), pos, null, null, found[0]);
    }
    return parsed;
  }
}
