package io.rowtime.parse;

import org.apache.calcite.sql.parser.SqlParserPos;

/** A part of a statement is within too many others. */
final class TooDeepException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final transient SqlParserPos pos;

  TooDeepException(SqlParserPos pos) {
    super("nested too deeply");
    this.pos = pos;
  }

  SqlParserPos pos() {
    return pos;
  }
}
