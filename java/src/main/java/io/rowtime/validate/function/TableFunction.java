package io.rowtime.validate.function;

import java.util.List;
import org.apache.calcite.sql.SqlTableFunction;

/** A table function: its name, its parameters, how it reads its input, and the columns of its rows. */
public interface TableFunction extends SqlTableFunction {

  /** How a table function reads its input. */
  enum Reading {
    /** Row by row: what comes out is a stream where the input is one. */
    ROWS,
    /** Row by row, and each row that comes out is a change of the input. */
    CHANGES,
    /** All at once, as it is at a time. */
    AT_ONCE
  }

  String getName();

  /** The names of the parameters in upper case, the table first. */
  List<String> parameters();

  Reading reading();
}
