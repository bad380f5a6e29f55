package io.rowtime.validate.desugar;

import io.rowtime.diagnostic.DiagnosticException;
import io.rowtime.validate.function.LikePattern;
import io.rowtime.validate.function.SimilarPattern;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlCharStringLiteral;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;

/** Checks literal patterns of LIKE and SIMILAR TO, so that a streaming query does not start and fail at its first row. */
final class Patterns {
  private Patterns() {}

  static void check(SqlCall call) {
    if (call.getKind() != SqlKind.LIKE && call.getKind() != SqlKind.SIMILAR) {
      return;
    }
    String pattern = text(call.operand(1));
    String escape = call.operandCount() < 3 ? "" : text(call.operand(2));
    if (call.operandCount() == 3 && escape != null && escape.codePointCount(0, escape.length()) != 1) {
      throw new DiagnosticException("RT0104", call.operand(2).getParserPosition(), "The ESCAPE of a " + name(call)
          + " must be one character, not '" + escape + "'", "for example ESCAPE '!'");
    }
    if (pattern == null || escape == null) {
      return;
    }
    try {
      if (call.getKind() == SqlKind.SIMILAR) {
        SimilarPattern.compile(pattern, escape);
      } else {
        LikePattern.check(pattern, escape);
      }
    } catch (IllegalArgumentException malformed) {
      throw new DiagnosticException("RT0104", call.operand(1).getParserPosition(), malformed.getMessage(),
          call.getKind() == SqlKind.SIMILAR ? "put an ESCAPE character before one that stands for itself"
              : "write the character that stands for itself twice, or choose another ESCAPE");
    }
  }

  private static String name(SqlCall call) {
    return call.getKind() == SqlKind.LIKE ? "LIKE" : "SIMILAR TO";
  }

  /** Returns the text of a literal; null for other expressions. */
  private static String text(SqlNode node) {
    return node instanceof SqlCharStringLiteral literal ? literal.toValue() : null;
  }
}
