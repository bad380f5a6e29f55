import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/** Connects with each of the URLs, and prints the contents of three rows, or the error. */
public class Connects {
  public static void main(String[] args) {
    for (String url : args) {
      try (Connection connection = DriverManager.getConnection(url); Statement statement = connection.createStatement();
          ResultSet rows = statement.executeQuery("SELECT REPEAT('x', 5000) FROM (VALUES (1), (2), (3)) AS t (n)")) {
        int count = 0;
        int length = 0;
        while (rows.next()) {
          count++;
          length = rows.getString(1).length();
        }
        System.out.println(count + " rows, " + length + " characters");
      } catch (SQLException e) {
        System.out.println(e.getSQLState() + " " + e.getMessage().lines().findFirst().get());
      }
    }
  }
}
