package io.rowtime.diagnostic;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.apache.calcite.sql.parser.SqlParserPos;

/**
 * An error, a warning or a hint about a statement.
 *
 * <p>Positions are 1-based and inclusive, in the coordinates of the text that was parsed; {@link #shift} moves them to
 * the file that the statement came from.
 *
 * @param details the stack trace of an internal error, for the log and not for the user; else null
 */
public record Diagnostic(
    Severity severity, String code, String message, int line, int column, int endLine, int endColumn, String hint, String details) {

  /** Hints are sentences, whatever their source. */
  public Diagnostic {
    hint = hint == null || hint.isEmpty() ? null : Character.toUpperCase(hint.charAt(0)) + hint.substring(1);
  }

  public Diagnostic(Severity severity, String code, String message, int line, int column, int endLine, int endColumn, String hint) {
    this(severity, code, message, line, column, endLine, endColumn, hint, null);
  }

  /** The severity: only an {@code ERROR} makes a statement invalid. */
  public enum Severity { ERROR, WARNING, INFO }

  public static Diagnostic error(String code, SqlParserPos pos, String message, String hint) {
    return at(Severity.ERROR, code, pos, message, hint);
  }

  public static Diagnostic warning(String code, SqlParserPos pos, String message, String hint) {
    return at(Severity.WARNING, code, pos, message, hint);
  }

  /** Returns a hint at a position of the text: the statement is valid but could be improved. */
  public static Diagnostic info(String code, SqlParserPos pos, String message, String hint) {
    return at(Severity.INFO, code, pos, message, hint);
  }

  /**
   * Returns the diagnostic of an internal error, which no rule foresaw. The message is plain; the stack trace is for
   * the log.
   */
  public static Diagnostic fault(Throwable fault) {
    StringWriter trace = new StringWriter();
    fault.printStackTrace(new PrintWriter(trace));
    return new Diagnostic(Severity.ERROR, "RT0999", "The planner cannot handle this statement", 1, 1, 1, 1,
        "this is a bug in rowtime, not an error in your SQL. Please report it with the statement", trace.toString());
  }

  private static Diagnostic at(Severity severity, String code, SqlParserPos pos, String message, String hint) {
    SqlParserPos place = pos == null || pos.getLineNum() == 0 ? new SqlParserPos(1, 1) : pos;
    return new Diagnostic(severity, code, message, place.getLineNum(), place.getColumnNum(),
        place.getEndLineNum(), place.getEndColumnNum(), hint);
  }

  /** Returns the diagnostic with another hint. */
  public Diagnostic withHint(String other) {
    return new Diagnostic(severity, code, message, line, column, endLine, endColumn, other, details);
  }

  public boolean isError() {
    return severity == Severity.ERROR;
  }

  /** Returns the same diagnostic for a statement that starts at {@code line}, {@code column} of its file. */
  public Diagnostic shift(int line, int column) {
    return new Diagnostic(severity, code, message,
        this.line + line - 1, this.line == 1 ? this.column + column - 1 : this.column,
        endLine + line - 1, endLine == 1 ? endColumn + column - 1 : endColumn, hint, details);
  }
}
