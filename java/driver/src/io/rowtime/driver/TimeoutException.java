package io.rowtime.driver;

import java.sql.SQLException;

/**
 * Thrown if no row has arrived within the time-out of the statement. The result stays open: {@code next()} may be
 * called again.
 */
public class TimeoutException extends SQLException {
  private static final long serialVersionUID = 1;

  public TimeoutException() {
    super("No row has come within the time-out of the statement", "HYT00");
  }
}
