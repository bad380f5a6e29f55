import io.rowtime.driver.StreamingPreparedStatement;
import io.rowtime.driver.StreamingStatement;
import io.rowtime.driver.TimeoutException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Timestamp;
import java.sql.Types;

/** A simple program: definitions, rows in and out, a stream with a time-out, parameters. Prints its results. */
public class Basics {
  public static void main(String[] args) throws Exception {
    try (Connection connection = DriverManager.getConnection(args[0]); Statement statement = connection.createStatement()) {
      statement.execute("CREATE STREAM orders (ticker VARCHAR(10), units INTEGER) OPTIONS (history 'all')");
      System.out.println("inserted " + statement.executeUpdate("INSERT INTO orders (ROWTIME, ticker, units) VALUES "
          + "(TIMESTAMP '2026-01-01 10:00:00', 'ORCL', 5), (TIMESTAMP '2026-01-01 10:01:00', NULL, NULL)"));
      print(statement.executeQuery("SELECT * FROM orders ORDER BY ROWTIME"));
      stream(connection);
      parameters(connection);
      failures(connection, statement);
    }
  }

  private static void stream(Connection connection) throws SQLException {
    try (StreamingStatement reader = (StreamingStatement) connection.createStatement();
        StreamingPreparedStatement writer = (StreamingPreparedStatement) connection.prepareStatement(
            "INSERT EXPEDITED INTO orders (ROWTIME, ticker, units) VALUES (?, ?, ?)")) {
      reader.setQueryTimeoutMillis(2_000);
      System.out.println("id " + (reader.getStatementId() > 0) + ", time-out " + reader.getQueryTimeoutMillis());
      ResultSet rows = reader.executeQuery("SELECT STREAM ROWTIME, ticker, units FROM orders");
      try {
        rows.next();
        System.out.println("a row that nobody has sent");
      } catch (TimeoutException e) {
        System.out.println("timeout");
      }
      reader.setQueryTimeoutMillis(60_000);
      for (int i = 0; i < 3; i++) {
        writer.setTimestamp(1, new Timestamp(1767261720000L + 1000 * i));
        writer.setString(2, "T" + i);
        writer.setInt(3, i);
        writer.addBatch();
      }
      System.out.println("batch " + java.util.Arrays.toString(writer.executeBatch()));
      for (int i = 0; i < 3; i++) {
        rows.next();
        System.out.println(rows.getTimestamp(1).getTime() + " " + rows.getString(2) + " " + rows.getInt("UNITS"));
      }
      writer.setRowtimeBound(new Timestamp(1767261780000L));
      while (reader.getRowtimeBoundMillis() < 1767261780000L) {
        Thread.onSpinWait();
      }
      System.out.println("bound " + reader.getRowtimeBound().getTime());
      try {
        writer.setRowtimeBound(new Timestamp(1767261779000L));
      } catch (SQLException e) {
        System.out.println(e.getMessage().lines().findFirst().get());
      }
      rows.close();
    }
  }

  private static void parameters(Connection connection) throws SQLException {
    try (PreparedStatement query = connection.prepareStatement("SELECT ticker, units FROM orders WHERE units > ? OR ticker = ? ORDER BY units")) {
      System.out.println("parameters " + query.getParameterMetaData().getParameterCount() + ", columns " + query.getMetaData().getColumnCount());
      query.setInt(1, 1);
      query.setString(2, "T0");
      print(query.executeQuery());
      query.setNull(1, Types.INTEGER);
      query.setString(2, "T1");
      print(query.executeQuery());
    }
  }

  private static void failures(Connection connection, Statement statement) throws SQLException {
    for (String sql : new String[] {"SELECT * FROM nothing", "SELEC 1", "ROLLBACK"}) {
      try {
        statement.execute(sql);
      } catch (SQLException e) {
        System.out.println(e.getSQLState() + " " + e.getErrorCode() + " " + e.getMessage().lines().findFirst().get());
      }
    }
    try (StreamingPreparedStatement plain = (StreamingPreparedStatement) connection.prepareStatement("INSERT INTO orders (ticker) VALUES (?)")) {
      plain.setRowtimeBound(new Timestamp(0));
    } catch (SQLException e) {
      System.out.println(e.getMessage().lines().findFirst().get());
    }
  }

  static void print(ResultSet rows) throws SQLException {
    while (rows.next()) {
      StringBuilder line = new StringBuilder("row");
      for (int i = 1; i <= rows.getMetaData().getColumnCount(); i++) {
        line.append(" | ").append(rows.getString(i));
      }
      System.out.println(line);
    }
  }
}
