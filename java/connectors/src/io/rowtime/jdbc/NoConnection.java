package io.rowtime.jdbc;

import java.sql.SQLException;

/** Thrown if the database cannot be reached, or rejects the login. */
final class NoConnection extends SQLException {
  private static final long serialVersionUID = 1L;

  NoConnection(String message, SQLException cause) {
    super(message, cause == null ? null : cause.getSQLState(), cause);
  }
}
