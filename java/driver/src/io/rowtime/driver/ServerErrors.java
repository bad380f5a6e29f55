package io.rowtime.driver;

import java.sql.SQLException;
import org.apache.calcite.avatica.AvaticaClientRuntimeException;
import org.apache.calcite.avatica.AvaticaSqlException;

/** Converts Avatica's exceptions to JDBC's: the server's message, its code and its SQLSTATE. */
final class ServerErrors {
  private ServerErrors() {}

  /** A call that may throw SQLException. */
  interface Call<T> {
    T run() throws SQLException;
  }

  /** A call without a result that may throw SQLException. */
  interface Action {
    void run() throws SQLException;
  }

  static void run(Action action) throws SQLException {
    call(() -> {
      action.run();
      return null;
    });
  }

  static <T> T call(Call<T> call) throws SQLException {
    try {
      return call.run();
    } catch (SQLException | RuntimeException e) {
      throw of(e);
    }
  }

  static SQLException of(Throwable fault) {
    for (Throwable cause = fault; cause != null; cause = cause.getCause()) {
      if (cause instanceof AvaticaClientRuntimeException known) {
        return new SQLException(message(known.getMessage()), known.getSqlState(), known.getErrorCode(), null);
      }
      if (cause instanceof AvaticaSqlException known) {
        return new SQLException(message(known.getMessage()), known.getSQLState(), known.getErrorCode(), null);
      }
      if (cause instanceof NoAnswer none) {
        return new SQLException(none.getMessage(), none.state, none);
      }
      if (cause instanceof TimeoutException timeout) {
        return timeout;
      }
    }
    return fault instanceof SQLException sql ? sql : new SQLException(message(String.valueOf(fault.getMessage())), "HY000", fault);
  }

  /** Returns the server's message, without the text that Avatica adds. */
  private static String message(String text) {
    int code = text == null ? -1 : text.indexOf("RT0");
    return code > 0 ? text.substring(code) : text;
  }

  /** Thrown if the server cannot be reached, does not answer, or rejects the login. */
  static final class NoAnswer extends RuntimeException {
    private static final long serialVersionUID = 1;

    private final String state;

    NoAnswer(String message, Throwable cause) {
      this(message, "08006", cause);
    }

    NoAnswer(String message, String state, Throwable cause) {
      super(message, cause);
      this.state = state;
    }
  }
}
