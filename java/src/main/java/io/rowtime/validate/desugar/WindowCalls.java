package io.rowtime.validate.desugar;

import io.rowtime.diagnostic.DiagnosticException;
import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlIntervalLiteral;
import org.apache.calcite.sql.SqlIntervalLiteral.IntervalValue;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlLiteral;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.parser.SqlParserPos;

/** Checks the arguments of TUMBLE, HOP and SESSION as table functions. */
final class WindowCalls {
  private final SqlCall call;
  private final String name;
  private final SqlNode[] arguments;

  private WindowCalls(SqlCall call, String name, SqlNode[] arguments) {
    this.call = call;
    this.name = name;
    this.arguments = arguments;
  }

  /**
   * Checks the arguments as far as the syntax tree allows, and returns them in the order of Calcite's operators.
   *
   * @param name the name of the function
   * @param arguments the arguments in the order of the parameters, null for a missing one
   */
  static SqlNode[] resolve(SqlCall call, String name, SqlNode[] arguments) {
    WindowCalls window = new WindowCalls(call, name, arguments);
    return switch (window.name) {
      case "TUMBLE" -> window.tumble();
      case "HOP" -> window.hop();
      default -> window.session();
    };
  }

  private SqlNode[] tumble() {
    time();
    length(2, "SIZE", true);
    length(3, "OFFSET", false);
    return arguments;
  }

  private SqlNode[] hop() {
    time();
    length(2, "SLIDE", true);
    length(3, "SIZE", true);
    length(4, "OFFSET", false);
    return arguments;
  }

  /**
   * {@code SESSION(data, DESCRIPTOR(time) [, DESCRIPTOR(key, …)], gap)}: the keys are an argument, or follow the table.
   */
  private SqlNode[] session() {
    time();
    if (arguments[3] == null && arguments[2] != null && !isDescriptor(arguments[2])) {
      arguments[3] = arguments[2];
      arguments[2] = null;
    }
    if (arguments[2] != null && !isDescriptor(arguments[2])) {
      throw error(arguments[2].getParserPosition(), "KEY of SESSION must be a DESCRIPTOR of the columns that distinguish sessions");
    }
    length(3, "SIZE", true);
    SqlNode keys = arguments[2];
    if (arguments[0].getKind() == SqlKind.SET_SEMANTICS_TABLE && arguments[0] instanceof SqlCall table) {
      SqlNodeList partition = table.operand(1);
      if (keys != null && !partition.isEmpty()) {
        throw error(keys.getParserPosition(), "SESSION has two lists of keys: PARTITION BY and KEY");
      }
      if (!partition.isEmpty()) {
        keys = SqlStdOperatorTable.DESCRIPTOR.createCall(partition.getParserPosition(), partition.getList());
      }
    }
    List<SqlNode> given = new ArrayList<>(List.of(arguments[0], arguments[1]));
    if (keys != null) {
      given.add(keys);
    }
    given.add(arguments[3]);
    return given.toArray(SqlNode[]::new);
  }

  private void time() {
    if (arguments[1] == null) {
      throw missing("TIMECOL, the column with the time of a row");
    }
    if (!isDescriptor(arguments[1]) || ((SqlCall) arguments[1]).operandCount() != 1) {
      throw error(arguments[1].getParserPosition(), "TIMECOL of " + name + " must be a DESCRIPTOR of one column");
    }
  }

  private void length(int index, String parameter, boolean required) {
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

  private DiagnosticException error(SqlParserPos place, String message) {
    return new DiagnosticException("RT0120", place, message, "write " + switch (name) {
      case "TUMBLE" -> "TUMBLE(t, DESCRIPTOR(rowtime), INTERVAL '10' MINUTE)";
      case "HOP" -> "HOP(t, DESCRIPTOR(rowtime), INTERVAL '5' MINUTE, INTERVAL '10' MINUTE): the slide, and then the size";
      default -> "SESSION(t, DESCRIPTOR(rowtime), DESCRIPTOR(key), INTERVAL '10' MINUTE)";
    });
  }

  private static boolean isDescriptor(SqlNode node) {
    return node instanceof SqlCall call && call.getOperator().getName().equalsIgnoreCase("DESCRIPTOR");
  }
}
