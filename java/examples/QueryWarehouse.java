import io.rowtime.schema.WarehouseException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.StringJoiner;

/**
 * Queries a warehouse of rowtime through Calcite's own JDBC driver: no Spark, no Python, no server.
 *
 * <p>Run it without a build: {@code java -cp 'app/*:planner/*:schema/*' QueryWarehouse.java model.json 'SELECT …' …}
 */
public final class QueryWarehouse {
  /**
   * The types of rowtime. Without them, Calcite's DECIMAL has at most 19 digits, and its sum of INTEGERs is an INTEGER.
   */
  private static final String TYPES = ";typeSystem=io.rowtime.validate.RowtimeTypeSystem#INSTANCE";

  private QueryWarehouse() {}

  public static void main(String[] arguments) {
    try (Connection connection = DriverManager.getConnection("jdbc:calcite:model=" + arguments[0] + TYPES);
        Statement statement = connection.createStatement()) {
      for (int i = 1; i < arguments.length; i++) {
        print(statement, arguments[i]);
      }
    } catch (SQLException | RuntimeException e) {
      System.out.println("error: " + reason(e));
    }
  }

  private static void print(Statement statement, String query) {
    System.out.println("> " + query);
    try (ResultSet rows = statement.executeQuery(query)) {
      ResultSetMetaData columns = rows.getMetaData();
      while (rows.next()) {
        StringJoiner line = new StringJoiner(" | ");
        for (int i = 1; i <= columns.getColumnCount(); i++) {
          line.add(rows.getString(i));
        }
        System.out.println(line.toString().stripTrailing());
      }
    } catch (SQLException | RuntimeException e) {
      System.out.println("error: " + reason(e));
    }
  }

  /** Returns the cause's message, without the text that Calcite adds. */
  private static String reason(Throwable fault) {
    for (Throwable cause = fault; cause != null; cause = cause.getCause()) {
      if (cause instanceof WarehouseException known) {
        return known.getMessage();
      }
    }
    return fault.getMessage();
  }
}
