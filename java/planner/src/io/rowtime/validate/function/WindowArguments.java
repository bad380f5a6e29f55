package io.rowtime.validate.function;

import io.rowtime.diagnostic.DiagnosticException;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlIntervalLiteral;
import org.apache.calcite.sql.SqlIntervalLiteral.IntervalValue;
import org.apache.calcite.sql.SqlLiteral;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.parser.SqlParserPos;

/** Checks the arguments that window functions have in common. */
final class WindowArguments {
  private final SqlCall call;
  private final String name;
  private final String usage;
  private final SqlNode[] arguments;

  /** @param usage a correct call */
  WindowArguments(SqlCall call, String name, String usage, SqlNode[] arguments) {
    this.call = call;
    this.name = name;
    this.usage = usage;
    this.arguments = arguments;
  }

  /** Checks the DESCRIPTOR of the column with the time of a row. */
  void time() {
    if (arguments[1] == null) {
      throw missing("TIMECOL, the column with the time of a row");
    }
    if (!isDescriptor(arguments[1]) || ((SqlCall) arguments[1]).operandCount() != 1) {
      throw error(arguments[1].getParserPosition(), "TIMECOL of " + name + " must be a DESCRIPTOR of one column");
    }
  }

  /** Checks a length of time. */
  void length(int index, String parameter, boolean required) {
    SqlNode length = arguments[index];
    if (length == null && required) {
      throw missing(parameter + ", an interval");
    }
    if (length == null) {
      return;
    }
    if (length instanceof SqlLiteral && !(length instanceof SqlIntervalLiteral)) {
      throw error(length.getParserPosition(), parameter + " of " + name + " must be an interval");
    }
    if (required && length instanceof SqlIntervalLiteral interval && !positive(interval)) {
      throw error(length.getParserPosition(), parameter + " of " + name + " must be a positive interval");
    }
  }

  private static boolean positive(SqlIntervalLiteral interval) {
    IntervalValue value = interval.getValueAs(IntervalValue.class);
    // Zero intervals such as '0' and '00:00' contain no other digit.
    return value.getSign() > 0 && value.getIntervalLiteral().chars().anyMatch(c -> c >= '1' && c <= '9')
        && !value.getIntervalLiteral().startsWith("-");
  }

  private DiagnosticException missing(String what) {
    return error(call.getParserPosition(), name + " needs " + what);
  }

  DiagnosticException error(SqlParserPos place, String message) {
    return new DiagnosticException("RT0120", place, message, "write " + usage);
  }

  static boolean isDescriptor(SqlNode node) {
    return node instanceof SqlCall call && call.getOperator().getName().equalsIgnoreCase("DESCRIPTOR");
  }
}
