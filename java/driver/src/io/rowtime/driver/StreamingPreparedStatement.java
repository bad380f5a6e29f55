package io.rowtime.driver;

import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.util.Calendar;

/**
 * A prepared statement that may feed a stream. An {@code INSERT EXPEDITED} into a stream is a producer: it attaches with its first
 * row or bound, and leaves when it is closed.
 */
public interface StreamingPreparedStatement extends PreparedStatement, StreamingStatement {
  /**
   * Promises that no later row of this statement has a ROWTIME before {@code bound}.
   *
   * @throws SQLException if this is not an INSERT EXPEDITED into a stream, or the bound would go back
   */
  void setRowtimeBound(Timestamp bound) throws SQLException;

  /**
   * Promises that no later row of this statement has a ROWTIME before {@code bound}.
   *
   * @param calendar the time zone in which the fields of {@code bound} are read; null: UTC
   * @param strict whether also no later row has a ROWTIME equal to it
   * @throws SQLException if this is not an INSERT EXPEDITED into a stream, or the bound would go back
   */
  void setRowtimeBound(Timestamp bound, Calendar calendar, boolean strict) throws SQLException;
}
