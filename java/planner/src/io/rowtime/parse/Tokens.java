package io.rowtime.parse;

import io.rowtime.parse.generated.RowtimeParserImplConstants;
import io.rowtime.parse.generated.RowtimeParserImplTokenManager;
import io.rowtime.parse.generated.SimpleCharStream;
import io.rowtime.parse.generated.Token;
import io.rowtime.parse.generated.TokenMgrError;
import java.io.StringReader;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Locale;
import org.apache.calcite.sql.parser.SqlParserPos;

/**
 * The tokens of a text that the parser sees, without comments, up to the first character that is not part of a token.
 */
final class Tokens {
  private static final int DOUBLE_QUOTE_IDENTIFIERS =
      List.of(RowtimeParserImplTokenManager.lexStateNames).indexOf("DQID");

  /** Does not include the end-of-text token. */
  private final List<Token> list = new ArrayList<>();

  Tokens(String sql) {
    // The parser counts a tab as one column; the stream alone would advance to the next multiple of eight.
    SimpleCharStream stream = new SimpleCharStream(new StringReader(sql.replace('\t', ' ')), 1, 1);
    RowtimeParserImplTokenManager lexer = new RowtimeParserImplTokenManager(stream, DOUBLE_QUOTE_IDENTIFIERS);
    try {
      for (Token t = lexer.getNextToken(); t.kind != RowtimeParserImplConstants.EOF; t = lexer.getNextToken()) {
        list.add(t);
      }
    } catch (TokenMgrError e) {
      // The rest contains no tokens; the ones before it are kept.
    }
  }

  boolean isEmpty() {
    return list.isEmpty();
  }

  int size() {
    return list.size();
  }

  /** Returns the index of the first token that starts at or after that position; the size if there is none. */
  int indexAt(SqlParserPos pos) {
    for (int i = 0; i < list.size(); i++) {
      Token t = list.get(i);
      if (t.beginLine > pos.getLineNum() || t.beginLine == pos.getLineNum() && t.beginColumn >= pos.getColumnNum()) {
        return i;
      }
    }
    return list.size();
  }

  /** Returns the token's kind; EOF outside the text. */
  int kind(int i) {
    return i >= 0 && i < list.size() ? list.get(i).kind : RowtimeParserImplConstants.EOF;
  }

  /** Returns the token as written; empty outside the text. */
  String image(int i) {
    return i >= 0 && i < list.size() ? list.get(i).image : "";
  }

  /** Returns the token in upper case. */
  String word(int i) {
    return image(i).toUpperCase(Locale.ROOT);
  }

  /** Returns the position of a token; for an index after the last token, the position of the last. */
  SqlParserPos pos(int i) {
    if (list.isEmpty()) {
      return new SqlParserPos(1, 1);
    }
    Token t = list.get(Math.max(0, Math.min(i, list.size() - 1)));
    return new SqlParserPos(t.beginLine, t.beginColumn, t.endLine, t.endColumn);
  }

  /** Returns the index of the last parenthesis that is still open before token {@code end}, or -1. */
  int openParenthesis(int end) {
    Deque<Integer> open = new ArrayDeque<>();
    for (int i = 0; i < Math.min(end, list.size()); i++) {
      if (kind(i) == RowtimeParserImplConstants.LPAREN) {
        open.push(i);
      } else if (kind(i) == RowtimeParserImplConstants.RPAREN && !open.isEmpty()) {
        open.pop();
      }
    }
    return open.isEmpty() ? -1 : open.peek();
  }

  /** Returns the number of parentheses, brackets and CASEs in which the deepest token is. */
  int depth() {
    return deepest(false);
  }

  /** Returns the index of the token that is nested in the most parentheses, brackets and CASEs. */
  int deepest() {
    return deepest(true);
  }

  private int deepest(boolean index) {
    int depth = 0;
    int most = 0;
    int at = 0;
    for (int i = 0; i < list.size(); i++) {
      switch (kind(i)) {
        case RowtimeParserImplConstants.LPAREN, RowtimeParserImplConstants.LBRACKET, RowtimeParserImplConstants.CASE -> depth++;
        case RowtimeParserImplConstants.RPAREN, RowtimeParserImplConstants.RBRACKET, RowtimeParserImplConstants.END -> depth--;
        default -> { }
      }
      if (depth > most) {
        most = depth;
        at = i;
      }
    }
    return index ? at : most;
  }
}
