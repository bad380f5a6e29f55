package io.rowtime.driver;

import java.sql.SQLException;

/** No row has come within the time-out of the statement. The result is open: {@code next()} may be called again. */
public class TimeoutException extends SQLException {
  private static final long serialVersionUID = 1;

  public TimeoutException() {
    super("No row has come within the time-out of the statement", "HYT00");
  }
}
