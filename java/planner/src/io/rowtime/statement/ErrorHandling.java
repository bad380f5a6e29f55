package io.rowtime.statement;

import io.rowtime.diagnostic.DiagnosticException;
import io.rowtime.plan.node.Fallible.OnError;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import org.apache.calcite.sql.SqlHint;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlLiteral;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.parser.SqlParserPos;

/** The option {@code on_error} of a pump, and the hint ON_ERROR of a query: what becomes of a row whose values have no result. */
final class ErrorHandling {
  static final String OPTION = "on_error";
  private static final String HINT = "ON_ERROR";

  private ErrorHandling() {}

  static boolean isHint(SqlHint hint) {
    return hint.getName().equalsIgnoreCase(HINT);
  }

  /**
   * Returns what a hint such as {@code ON_ERROR('skip')} asks for; empty for other hints.
   *
   * @throws DiagnosticException if it asks for something else
   */
  static Optional<OnError> of(SqlHint hint) {
    if (!isHint(hint)) {
      return Optional.empty();
    }
    String given = hint.getOptionList().size() == 1 ? hint.getOptionList().get(0).trim() : "";
    Optional<OnError> found = Arrays.stream(OnError.values()).filter(one -> one.name().equalsIgnoreCase(given)).findFirst();
    if (found.isEmpty()) {
      throw new DiagnosticException("RT0343", hint.getParserPosition(), "ON_ERROR takes " + words(), "for example /*+ ON_ERROR('skip') */");
    }
    return found;
  }

  private static String words() {
    return Arrays.stream(OnError.values()).map(one -> "'" + one.name().toLowerCase(Locale.ROOT) + "'").collect(Collectors.joining(", ")).replace(", 'null'", " or 'null'");
  }

  /** Returns the hint that asks for the same as an option of this value. */
  static SqlHint hint(String option) {
    return new SqlHint(SqlParserPos.ZERO, new SqlIdentifier(HINT, SqlParserPos.ZERO),
        SqlNodeList.of(SqlLiteral.createCharString(option.trim().toLowerCase(Locale.ROOT), SqlParserPos.ZERO)), SqlHint.HintOptionFormat.LITERAL_LIST);
  }
}
