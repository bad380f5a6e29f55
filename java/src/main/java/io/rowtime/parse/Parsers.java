package io.rowtime.parse;

import io.rowtime.parse.generated.RowtimeParserImpl;
import org.apache.calcite.avatica.util.Casing;
import org.apache.calcite.avatica.util.Quoting;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.parser.SqlParseException;
import org.apache.calcite.sql.parser.SqlParser;

/**
 * SQL text to syntax tree. {@link SqlText} goes back; {@link ParseErrors} says what is wrong with a text that is none.
 *
 * <p>All that these methods throw is {@code SqlParseException}: too deep a nesting is its cause, not an error of its
 * own.
 */
public final class Parsers {
  /** Unquoted names fold to upper case, double-quoted ones keep theirs, matching ignores case. */
  public static final SqlParser.Config CONFIG =
      SqlParser.config()
          .withParserFactory(RowtimeParserImpl.FACTORY)
          .withUnquotedCasing(Casing.TO_UPPER)
          .withQuotedCasing(Casing.UNCHANGED)
          .withQuoting(Quoting.DOUBLE_QUOTE)
          .withCaseSensitive(false)
          .withConformance(ParserConformance.INSTANCE);

  private Parsers() {}

  /** Parses one statement, without a semicolon at its end. */
  public static SqlNode parseStatement(String sql) throws SqlParseException {
    return SqlParser.create(sql, CONFIG).parseStmt();
  }

  /** Parses an expression, such as a column's LATENESS as the catalog keeps it. */
  public static SqlNode parseExpression(String sql) throws SqlParseException {
    return SqlParser.create(sql, CONFIG).parseExpression();
  }
}
