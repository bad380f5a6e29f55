package io.rowtime.jdbc;

import java.sql.SQLException;
import java.util.Set;

/** What a database says is wrong, for diagnostics. */
public final class Faults {
  private static final Set<String> NO_TABLE = Set.of("42P01", "42S02", "42S04", "3F000");

  private Faults() {}

  /**
   * What went wrong.
   *
   * @param kind {@code connection}, {@code table} (there is none of that name) or {@code statement}
   */
  public record Fault(String kind, String message) {}

  /** What a database has said, or null where the fault is not one of a database. */
  public static Fault of(Throwable fault) {
    for (Throwable cause = fault; cause != null; cause = cause.getCause()) {
      if (cause instanceof NoConnection) {
        return new Fault("connection", cause.getMessage());
      }
      if (cause instanceof SQLException found) {
        // Of a batch of statements, the first exception says only that there is another one.
        while (found.getNextException() != null) {
          found = found.getNextException();
        }
        String message = String.valueOf(found.getMessage());
        boolean missing = NO_TABLE.contains(String.valueOf(found.getSQLState())) || message.contains("no such table");
        return new Fault(missing ? "table" : "statement", message);
      }
    }
    return null;
  }
}
