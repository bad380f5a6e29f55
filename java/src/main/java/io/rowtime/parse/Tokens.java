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

/** The words of a text, as the parser sees them, up to the first that is not a token. Comments are not among them. */
final class Tokens {
  private static final int DOUBLE_QUOTE_IDENTIFIERS =
      List.of(RowtimeParserImplTokenManager.lexStateNames).indexOf("DQID");

  /** Without the end-of-text token. */
  private final List<Token> list = new ArrayList<>();

  Tokens(String sql) {
    // The parser counts a tab as one column; the stream by itself would go to the next multiple of eight.
    SimpleCharStream stream = new SimpleCharStream(new StringReader(sql.replace('\t', ' ')), 1, 1);
    RowtimeParserImplTokenManager lexer = new RowtimeParserImplTokenManager(stream, DOUBLE_QUOTE_IDENTIFIERS);
    try {
      for (Token t = lexer.getNextToken(); t.kind != RowtimeParserImplConstants.EOF; t = lexer.getNextToken()) {
        list.add(t);
      }
    } catch (TokenMgrError e) {
      // What follows is no token; the ones before it are what is asked for.
    }
  }

  boolean isEmpty() {
    return list.isEmpty();
  }

  int size() {
    return list.size();
  }

  /** Index of the token that begins there, or after there; the size if there is none. */
  int indexAt(SqlParserPos pos) {
    for (int i = 0; i < list.size(); i++) {
      Token t = list.get(i);
      if (t.beginLine > pos.getLineNum() || t.beginLine == pos.getLineNum() && t.beginColumn >= pos.getColumnNum()) {
        return i;
      }
    }
    return list.size();
  }

  /** The token's kind; EOF outside of the text. */
  int kind(int i) {
    return i >= 0 && i < list.size() ? list.get(i).kind : RowtimeParserImplConstants.EOF;
  }

  /** The token as it is written; empty outside of the text. */
  String image(int i) {
    return i >= 0 && i < list.size() ? list.get(i).image : "";
  }

  /** The token in upper case. */
  String word(int i) {
    return image(i).toUpperCase(Locale.ROOT);
  }

  /** The place of a token; that of the last one for an index behind it. */
  SqlParserPos pos(int i) {
    if (list.isEmpty()) {
      return new SqlParserPos(1, 1);
    }
    Token t = list.get(Math.max(0, Math.min(i, list.size() - 1)));
    return new SqlParserPos(t.beginLine, t.beginColumn, t.endLine, t.endColumn);
  }

  /** Index of the last parenthesis that is still open before token {@code end}, or -1. */
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

  /** Index of the token that has the most parentheses or brackets around it. */
  int deepest() {
    int depth = 0;
    int most = 0;
    int at = 0;
    for (int i = 0; i < list.size(); i++) {
      switch (kind(i)) {
        case RowtimeParserImplConstants.LPAREN, RowtimeParserImplConstants.LBRACKET -> depth++;
        case RowtimeParserImplConstants.RPAREN, RowtimeParserImplConstants.RBRACKET -> depth--;
        default -> { }
      }
      if (depth > most) {
        most = depth;
        at = i;
      }
    }
    return at;
  }
}
