package io.rowtime.jdbc;

import java.sql.SQLException;

/** Thrown if a row has no value in a column by which it would be found again. */
final class MissingKey extends SQLException {
  private static final long serialVersionUID = 1L;

  /** @param column the column, as the database names it */
  MissingKey(String column) {
    super(column);
  }
}
