import io.rowtime.driver.StreamingPreparedStatement;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Timestamp;

/**
 * Sends batches of consecutive numbers, and prints the first number of each once it is acknowledged. Arguments: URL, first number,
 * rows of a batch, how many batches.
 */
public class Batches {
  public static void main(String[] args) throws Exception {
    long number = Long.parseLong(args[1]);
    int size = Integer.parseInt(args[2]);
    int count = Integer.parseInt(args[3]);
    try (Connection connection = DriverManager.getConnection(args[0]);
        StreamingPreparedStatement insert = (StreamingPreparedStatement) connection.prepareStatement(
            "INSERT EXPEDITED INTO numbers (ROWTIME, n, word) VALUES (?, ?, ?)")) {
      long begin = System.nanoTime();
      for (int batch = 0; batch < count; batch++) {
        long first = number;
        for (int i = 0; i < size; i++, number++) {
          insert.setTimestamp(1, new Timestamp(1_767_225_600_000L + number));
          insert.setLong(2, number);
          insert.setString(3, "word");
          insert.addBatch();
        }
        insert.executeBatch();
        System.out.println(first);
        System.out.flush();
      }
      double seconds = (System.nanoTime() - begin) / 1e9;
      System.out.printf("# %.0f rows/s%n", size * (double) count / seconds);
    } catch (SQLException e) {
      System.out.println("# " + e.getMessage().lines().findFirst().get());
    }
  }
}
