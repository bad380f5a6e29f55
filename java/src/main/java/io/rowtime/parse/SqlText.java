package io.rowtime.parse;

import java.util.regex.Pattern;
import org.apache.calcite.avatica.util.Casing;
import org.apache.calcite.sql.SqlDialect;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.parser.SqlAbstractParserImpl;
import org.apache.calcite.sql.parser.SqlParser;

/** Syntax tree to SQL text, in the form in which the catalog keeps statements: {@link Parsers} reads it back. */
public final class SqlText {
  private static final Pattern PLAIN = Pattern.compile("[A-Z_][A-Z0-9_]*");
  private static final SqlDialect DIALECT = new Dialect();

  private SqlText() {}

  /** Text of a statement or expression. Names are quoted where they need it only. */
  public static String of(SqlNode node) {
    return node.toSqlString(config -> config
        .withDialect(DIALECT)
        .withQuoteAllIdentifiers(true)   // leaves the choice to the dialect
        .withAlwaysUseParentheses(false)
        .withSelectListItemsOnSeparateLines(false)
        .withUpdateSetListNewline(false)
        .withIndentation(2)).getSql();
  }

  private static final class Dialect extends SqlDialect {
    private final SqlAbstractParserImpl.Metadata words = SqlParser.create("", Parsers.CONFIG).getMetadata();

    Dialect() {
      super(SqlDialect.EMPTY_CONTEXT
          .withDatabaseProduct(DatabaseProduct.UNKNOWN)
          .withDatabaseProductName("rowtime")
          .withIdentifierQuoteString("\"")
          .withUnquotedCasing(Casing.TO_UPPER)
          .withQuotedCasing(Casing.UNCHANGED)
          .withCaseSensitive(false)
          .withConformance(ParserConformance.INSTANCE));
    }

    @Override protected boolean identifierNeedsQuote(String name) {
      return !PLAIN.matcher(name).matches() || words.isReservedWord(name);
    }

    /** Text as it is: the default writes what is not ASCII as escapes, in a literal of another character set. */
    @Override public void quoteStringLiteral(StringBuilder buffer, String charset, String value) {
      if (charset != null) {
        buffer.append('_').append(charset);
      }
      buffer.append('\'').append(value.replace("'", "''")).append('\'');
    }
  }
}
