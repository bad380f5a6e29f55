package io.rowtime.validate.function;

import java.util.List;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlTableFunction;

/** A table function: its name, its parameters, how it reads its input, and the columns of its rows. */
public interface TableFunction extends SqlTableFunction {

  /** How a table function reads its input. */
  enum InputMode {
    /** Row by row: the output is a stream if the input is. */
    ROWS,
    /** Row by row, and each output row is a change of the input. */
    CHANGES,
    /** All at once, as of a time. */
    AT_ONCE
  }

  String getName();

  /** Returns the names of the parameters in upper case, with the table first. */
  List<String> parameters();

  InputMode inputMode();

  /**
   * Checks the arguments of a call, as far as the syntax tree allows, and returns those of the operator.
   *
   * @param call the call, as it was written
   * @param arguments the arguments in the order of the parameters, null for a missing one; the table is never missing
   */
  default SqlNode[] resolve(SqlCall call, SqlNode[] arguments) {
    return arguments;
  }

  /** Returns a table argument without the words around it. */
  static SqlNode unwrap(SqlNode table) {
    return switch (table.getKind()) {
      case EXPLICIT_TABLE, SET_SEMANTICS_TABLE, CURSOR, TABLE_REF -> unwrap(((SqlCall) table).operand(0));
      default -> table;
    };
  }
}
