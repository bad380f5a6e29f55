package io.rowtime.jdbc;

import java.sql.SQLException;

/** The database cannot be reached, or does not let us in. */
final class NoConnection extends SQLException {
  private static final long serialVersionUID = 1L;

  NoConnection(String message, SQLException cause) {
    super(message, cause == null ? null : cause.getSQLState(), cause);
  }
}
