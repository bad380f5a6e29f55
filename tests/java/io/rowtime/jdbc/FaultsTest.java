package io.rowtime.jdbc;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNull;

import java.sql.BatchUpdateException;
import java.sql.SQLException;
import org.junit.Test;

/** The kinds of a database's errors. */
public final class FaultsTest {
  @Test public void aFullDiskIsKnownByItsState() {
    // A server speaks the language of its administrator.
    assertEquals("full", kind(new SQLException("konnte Datei nicht erweitern: Kein Speicherplatz mehr", "53100")));
    assertEquals("full", kind(new SQLException("[SQLITE_FULL] Insertion failed because database is full (database or disk is full)")));
    assertEquals("full", kind(new SQLException("ERROR: could not write to file: No space left on device", "XX000")));
  }

  @Test public void theFirstErrorOfABatchPointsToTheRealOne() {
    BatchUpdateException batch = new BatchUpdateException("a batch entry failed", null);
    batch.setNextException(new SQLException("full", "53100"));
    assertEquals("full", kind(new RuntimeException(batch)));
  }

  @Test public void otherErrorsAreOfStatementsAndTables() {
    assertEquals("statement", kind(new SQLException("the bottle is full", "23505")));
    assertEquals("table", kind(new SQLException("relation does not exist", "42P01")));
    assertEquals("connection", kind(new NoConnection("no answer", null)));
    assertNull(Faults.of(new IllegalStateException("No space left on device")));
  }

  private static String kind(Throwable fault) {
    return Faults.of(fault).kind();
  }
}
