package io.rowtime.diagnostic;

import java.util.List;
import org.apache.calcite.sql.parser.SqlParserPos;

/** Ends the planning of a statement with its diagnostics. */
public final class DiagnosticException extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final transient List<Diagnostic> diagnostics;

  public DiagnosticException(List<Diagnostic> diagnostics) {
    super(diagnostics.get(0).message(), null, false, false);
    this.diagnostics = List.copyOf(diagnostics);
  }

  public DiagnosticException(String code, SqlParserPos pos, String message, String hint) {
    this(List.of(Diagnostic.error(code, pos, message, hint)));
  }

  public List<Diagnostic> diagnostics() {
    return diagnostics;
  }
}
