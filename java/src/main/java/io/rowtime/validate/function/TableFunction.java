package io.rowtime.validate.function;

import java.util.List;
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
}
