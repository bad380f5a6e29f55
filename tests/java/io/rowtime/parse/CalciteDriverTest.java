package io.rowtime.parse;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertThrows;
import static org.junit.Assert.assertTrue;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Properties;
import org.junit.Test;

/** rowtime's parser in Calcite's own JDBC driver, selected by the property {@code parserFactory}. */
public class CalciteDriverTest {
  private static Connection connect(String parser) throws SQLException {
    Properties properties = new Properties();
    properties.setProperty("parserFactory", parser);
    properties.setProperty("fun", "standard,postgresql");
    return DriverManager.getConnection("jdbc:calcite:", properties);
  }

  @Test public void queriesRunWithTheExtensions() throws SQLException {
    try (Connection connection = connect("io.rowtime.parse.generated.RowtimeParserImpl#FACTORY");
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("SELECT '7'::INTEGER + 1 FROM (VALUES (1)) AS t (a)")) {
      assertTrue(rows.next());
      assertEquals(8, rows.getInt(1));
    }
    try (Connection connection = connect(""); Statement statement = connection.createStatement()) {
      assertThrows(SQLException.class, () -> statement.executeQuery("SELECT '7'::INTEGER + 1 FROM (VALUES (1)) AS t (a)"));
    }
  }
}
