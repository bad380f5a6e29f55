import io.rowtime.driver.StreamingPreparedStatement;
import io.rowtime.driver.StreamingStatement;
import io.rowtime.driver.TimeoutException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.Calendar;
import java.util.TimeZone;

/** Two producers on connections of their own, a newcomer, and what a reader sees of them. */
public class Producers {
  private static final String INSERT = "INSERT EXPEDITED INTO s (ROWTIME, who) VALUES (?, ?)";

  public static void main(String[] args) throws Exception {
    try (Connection c = DriverManager.getConnection(args[0]); Connection c1 = DriverManager.getConnection(args[0]);
        Connection c2 = DriverManager.getConnection(args[0]); StreamingStatement reader = (StreamingStatement) c.createStatement()) {
      reader.execute("CREATE STREAM s (who VARCHAR)");
      StreamingPreparedStatement p1 = (StreamingPreparedStatement) c1.prepareStatement(INSERT);
      StreamingPreparedStatement p2 = (StreamingPreparedStatement) c2.prepareStatement(INSERT);
      ResultSet rows = reader.executeQuery("SELECT STREAM ROWTIME, who FROM s");
      p1.setRowtimeBound(at("10:00"));
      System.out.println("P1 bound 10:00 -> stream " + reader.getRowtimeBound());
      System.out.println("P1 row 10:00 -> taken " + insert(p1, "10:00", "P1"));
      row(reader, rows);
      p2.setRowtimeBound(at("10:05"));
      System.out.println("P2 row 10:05 -> taken " + insert(p2, "10:05", "P2"));
      row(reader, rows);
      System.out.println("P2 row 09:59 -> taken " + insert(p2, "09:59", "P2"));
      System.out.println("P1 leaves");
      p1.close();
      row(reader, rows);
      awaitBound(reader, "10:05");
      // A bound in the time of another zone: 08:10 in New York, whose fields are those of the stream's time.
      Calendar newYork = Calendar.getInstance(TimeZone.getTimeZone("America/New_York"));
      newYork.clear();
      newYork.set(2006, Calendar.OCTOBER, 10, 10, 10);
      p2.setRowtimeBound(new Timestamp(newYork.getTimeInMillis()), newYork, true);
      awaitBound(reader, "10:10");
      System.out.println("P2 row 10:10 after a strict bound -> taken " + insert(p2, "10:10", "P2"));
      c2.close();
      StreamingPreparedStatement p3 = (StreamingPreparedStatement) c1.prepareStatement(INSERT);
      System.out.println("P3 row 10:04 -> taken " + insert(p3, "10:04", "P3"));
      System.out.println("P3 row 10:20 -> taken " + insert(p3, "10:20", "P3"));
      row(reader, rows);
    }
  }

  private static Timestamp at(String time) {
    return new Timestamp(LocalDateTime.parse("2006-10-10T" + time).toInstant(ZoneOffset.UTC).toEpochMilli());
  }

  private static int insert(StreamingPreparedStatement producer, String time, String who) throws SQLException {
    producer.setTimestamp(1, at(time));
    producer.setString(2, who);
    return producer.executeUpdate();
  }

  private static void row(StreamingStatement reader, ResultSet rows) throws SQLException {
    // If a row were not held, it would arrive at once, so a short time-out is enough when none is expected.
    reader.setQueryTimeoutMillis(4_000);
    try {
      rows.next();
      System.out.println("  row " + rows.getString(1) + " " + rows.getString(2));
    } catch (TimeoutException e) {
      System.out.println("  no row");
    }
  }

  private static void awaitBound(StreamingStatement reader, String time) throws Exception {
    long end = System.nanoTime() + 60_000_000_000L;
    while (reader.getRowtimeBoundMillis() < at(time).getTime() && System.nanoTime() < end) {
      Thread.sleep(50);
    }
    System.out.println("bound " + reader.getRowtimeBound().toInstant());
  }
}
