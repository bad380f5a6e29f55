package io.rowtime.parse;

import org.apache.calcite.runtime.CalciteContextException;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.validate.SqlValidatorException;

/** Errors that grammar rules throw; the parser converts them to {@code SqlParseException}s with a position. */
public final class SyntaxErrors {
  private SyntaxErrors() {}

  /** Returns the error for a clause that occurs twice. */
  public static CalciteContextException twice(SqlParserPos pos, String clause) {
    return at(pos, clause + " is given twice");
  }

  public static CalciteContextException at(SqlParserPos pos, String message) {
    SqlValidatorException cause = new SqlValidatorException(message, null);
    return new CalciteContextException(message, cause,
        pos.getLineNum(), pos.getColumnNum(), pos.getEndLineNum(), pos.getEndColumnNum());
  }
}
