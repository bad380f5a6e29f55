package io.rowtime.parse;

import java.util.regex.Pattern;
import org.apache.calcite.avatica.util.Casing;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlDialect;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlWriter;

/** Writes a syntax tree as SQL text, the form in which the catalog stores statements; {@link Parsers} reads it back. */
public final class SqlText {
  private static final Pattern PLAIN = Pattern.compile("[A-Z_][A-Z0-9_]*");
  private static final SqlDialect DIALECT = new Dialect();

  private SqlText() {}

  /** Returns the text of a statement or expression. Names are quoted only if necessary. */
  public static String of(SqlNode node) {
    return node.toSqlString(config -> config
        .withDialect(DIALECT)
        .withQuoteAllIdentifiers(true)   // leaves the decision to the dialect
        .withAlwaysUseParentheses(false)
        .withSelectListItemsOnSeparateLines(false)
        .withUpdateSetListNewline(false)
        .withIndentation(2)).getSql();
  }

  /** Returns whether an upper-case word must be quoted to be a name. */
  public static boolean isReserved(String word) {
    return Words.isReserved(word);
  }

  private static final class Dialect extends SqlDialect {
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
      return !PLAIN.matcher(name).matches() || Words.isReserved(name);
    }

    @Override public void unparseCall(SqlWriter writer, SqlCall call, int leftPrec, int rightPrec) {
      if (call.getKind() == SqlKind.SET_SEMANTICS_TABLE) {
        unparseTableArgument(writer, call);
      } else {
        super.unparseCall(writer, Parentheses.aroundArguments(call), leftPrec, rightPrec);
      }
    }

    /**
     * Writes {@code TABLE t PARTITION BY (a, b) ORDER BY (c)}: Calcite omits the parentheses that its parser requires.
     */
    private static void unparseTableArgument(SqlWriter writer, SqlCall call) {
      Parentheses.around(call.operand(0)).unparse(writer, 0, 0);
      for (int i = 1; i <= 2; i++) {
        SqlNodeList keys = call.operand(i);
        if (!keys.isEmpty()) {
          writer.keyword(i == 1 ? "PARTITION BY" : "ORDER BY");
          keys.unparse(writer, 1, 1);
        }
      }
    }

    /** Writes table hints, which the default implementation drops. */
    @Override public void unparseTableScanHints(SqlWriter writer, SqlNodeList hints, int leftPrec, int rightPrec) {
      writer.keyword("/*+");
      hints.unparse(writer, 0, 0);
      writer.keyword("*/");
    }

    /**
     * Writes text unchanged: the default escapes characters that are not ASCII, in a literal of another character set.
     */
    @Override public void quoteStringLiteral(StringBuilder buffer, String charset, String value) {
      if (charset != null) {
        buffer.append('_').append(charset);
      }
      buffer.append('\'').append(value.replace("'", "''")).append('\'');
    }
  }
}
