import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Timestamp;

/**
 * Measures a JDBC driver. Arguments: URL, {@code insert ROWS BATCH}, {@code read ROUNDS ROWS SQL} (the first ROWS rows
 * of a query) or {@code first ROUNDS SQL}. Prints a number for each round: rows per second, or milliseconds to the
 * first row.
 */
public class JdbcRates {
  private static final long BEGIN = 1_767_225_600_000L;

  public static void main(String[] args) throws Exception {
    try (Connection connection = DriverManager.getConnection(args[0])) {
      switch (args[1]) {
        case "insert" -> insert(connection, Integer.parseInt(args[2]), Integer.parseInt(args[3]));
        case "read" -> read(connection, Integer.parseInt(args[2]), Integer.parseInt(args[3]), args[4]);
        default -> first(connection, Integer.parseInt(args[2]), args[3]);
      }
    }
  }

  /** Ten rounds with a tenth of the rows each; the first ones warm up the JVMs. */
  private static void insert(Connection connection, int rows, int size) throws SQLException {
    try (PreparedStatement insert = connection.prepareStatement("INSERT EXPEDITED INTO rates (ROWTIME, n, word) VALUES (?, ?, ?)")) {
      int n = 0;
      for (int round = 1; round <= 10; round++) {
        int from = n;
        long begin = System.nanoTime();
        while (n < rows / 10 * round) {
          for (int i = 0; i < size; i++, n++) {
            insert.setTimestamp(1, new Timestamp(BEGIN + n));
            insert.setLong(2, n);
            insert.setString(3, "word " + n % 1000);
            insert.addBatch();
          }
          insert.executeBatch();
        }
        System.out.printf("%.1f%n", (n - from) * 1e9 / (System.nanoTime() - begin));
      }
    }
  }

  private static void read(Connection connection, int rounds, int rows, String sql) throws SQLException {
    for (int round = 0; round < rounds; round++) {
      try (Statement statement = connection.createStatement()) {
        statement.setFetchSize(10_000);
        long begin = System.nanoTime();
        long sum = 0;
        int count = 0;
        ResultSet result = statement.executeQuery(sql);
        while (count < rows && result.next()) {
          sum += result.getLong(2) + result.getString(3).length();
          count++;
        }
        if (count < rows || sum == 0) {
          throw new IllegalStateException(count + " rows");
        }
        System.out.printf("%.1f%n", count * 1e9 / (System.nanoTime() - begin));
      }
    }
  }

  private static void first(Connection connection, int rounds, String sql) throws SQLException {
    for (int round = 0; round < rounds; round++) {
      long begin = System.nanoTime();
      try (Statement statement = connection.createStatement(); ResultSet result = statement.executeQuery(sql)) {
        result.next();
        System.out.printf("%.2f%n", (System.nanoTime() - begin) / 1e6);
      }
    }
  }
}
