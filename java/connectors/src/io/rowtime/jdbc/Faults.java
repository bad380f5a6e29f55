package io.rowtime.jdbc;

import java.sql.SQLException;
import java.sql.SQLRecoverableException;
import java.sql.SQLTransientException;
import java.util.List;
import java.util.Set;

/** Classifies a database's errors, for diagnostics. */
public final class Faults {
  private static final Set<String> NO_TABLE = Set.of("42P01", "42S02", "42S04", "3F000");

  /**
   * Prefixes of SQLSTATE: no connection, no resources, a conflict with another transaction, the server is shutting down
   * or starting.
   */
  private static final Set<String> TRANSIENT = Set.of("08", "53", "40", "55P03", "57P01", "57P02", "57P03", "HYT");
  /** A wrong user or password, or a database that does not exist. */
  private static final Set<String> LASTING = Set.of("28", "3D");

  /** PostgreSQL's state for a full disk. */
  private static final String DISK_FULL = "53100";
  /** PostgreSQL's state, and what SQLite says, if a table has no unique constraint on the columns of ON CONFLICT. */
  private static final String NO_UNIQUE_KEY = "42P10";
  private static final String NO_UNIQUE_KEY_TEXT = "ON CONFLICT clause does not match";
  /** What SQLite says, and a database that reports an error of its system. */
  private static final List<String> FULL = List.of("SQLITE_FULL", "No space left on device", "Disk quota exceeded");

  private Faults() {}

  /**
   * An error of a database.
   *
   * @param kind {@code connection}, {@code table} (there is no table of that name), {@code full} (the database has no
   *     space), {@code key} (the table has no unique constraint on the key), {@code value} (a row has no value in a column of
   *     the key, which the message names) or {@code statement}
   */
  public record Fault(String kind, String message) {}

  /**
   * Returns whether a retry can succeed: the database does not answer, has no resources, or has ended the statement in
   * favor of others.
   */
  public static boolean isTransient(Throwable fault) {
    for (Throwable cause = fault; cause != null; cause = cause.getCause()) {
      if (cause instanceof SQLException found) {
        String state = String.valueOf(found.getSQLState());
        if (LASTING.stream().anyMatch(state::startsWith)) {
          return false;
        }
        boolean busy = String.valueOf(found.getMessage()).contains("SQLITE_BUSY");
        if (busy || found instanceof NoConnection || found instanceof SQLTransientException || found instanceof SQLRecoverableException
            || TRANSIENT.stream().anyMatch(state::startsWith)) {
          return true;
        }
      }
    }
    return false;
  }

  /** Returns the database's error, or null if the exception does not come from a database. */
  public static Fault of(Throwable fault) {
    for (Throwable cause = fault; cause != null; cause = cause.getCause()) {
      if (cause instanceof NoConnection) {
        return new Fault("connection", cause.getMessage());
      }
      if (cause instanceof MissingKey) {
        return new Fault("value", cause.getMessage());
      }
      if (cause instanceof SQLException found) {
        // For a batch of statements, the first exception only says that there is another one.
        while (found.getNextException() != null) {
          found = found.getNextException();
        }
        String message = String.valueOf(found.getMessage());
        String state = String.valueOf(found.getSQLState());
        boolean missing = NO_TABLE.contains(state) || message.contains("no such table");
        boolean full = state.equals(DISK_FULL) || FULL.stream().anyMatch(message::contains);
        boolean key = state.equals(NO_UNIQUE_KEY) || message.contains(NO_UNIQUE_KEY_TEXT);
        return new Fault(missing ? "table" : full ? "full" : key ? "key" : "statement", message);
      }
    }
    return null;
  }
}
