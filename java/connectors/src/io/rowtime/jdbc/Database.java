package io.rowtime.jdbc;

import java.io.Serializable;
import java.sql.Connection;
import java.sql.Driver;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.Callable;
import org.apache.spark.sql.DataFrameReader;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.classic.SparkSession;
import org.apache.spark.sql.execution.datasources.jdbc.DriverRegistry;

/**
 * The connection settings of a database.
 *
 * @param properties the properties of its driver, including user and password
 * @param opening SQL that is executed on each new connection
 */
public record Database(String url, String driver, Map<String, String> properties, List<String> opening) implements Serializable {
  private static final Set<String> JARS = new HashSet<>();

  /**
   * A column of a table: its name, and its type as a constant of {@link java.sql.Types} and as the database names it.
   */
  public record Field(String name, int type, String typeName) {
    /** Returns whether values are instants, and not local times. */
    boolean isInstant() {
      return type == java.sql.Types.TIMESTAMP_WITH_TIMEZONE || typeName.equalsIgnoreCase("timestamptz");
    }
  }

  /** Omits passwords and other secrets. */
  @Override public String toString() {
    return "Database[" + driver + "]";
  }

  /**
   * Makes the class of a driver available to Spark, on the driver and in tasks.
   *
   * @param jar path of the driver's jar, or null if Spark has it
   */
  public static void load(org.apache.spark.sql.SparkSession session, String driver, String jar) throws Exception {
    SparkSession spark = (SparkSession) session;
    withJars(spark, () -> {
      synchronized (JARS) {
        if (jar != null && JARS.add(spark.sparkContext().applicationId() + " " + jar)) {
          spark.sessionState().resourceLoader().addJar(jar);
        }
      }
      DriverRegistry.register(driver);
      return null;
    });
  }

  /** Returns the result of {@code reader.load()}, with the drivers that {@link #load} has made available. */
  public static Dataset<Row> read(org.apache.spark.sql.SparkSession session, DataFrameReader reader) throws Exception {
    return withJars((SparkSession) session, reader::load);
  }

  /**
   * Runs code with the class loader for jars that Spark was not started with; no other class loader finds their
   * classes.
   */
  private static <T> T withJars(SparkSession spark, Callable<T> what) throws Exception {
    Thread thread = Thread.currentThread();
    ClassLoader before = thread.getContextClassLoader();
    try {
      thread.setContextClassLoader(spark.sharedState().jarClassLoader());
      return what.call();
    } finally {
      thread.setContextClassLoader(before);
    }
  }

  /** Returns the columns of a table, in order. */
  public List<Field> fields(String table) throws SQLException {
    try (Connection connection = connect()) {
      return fields(connection, table);
    }
  }

  static List<Field> fields(Connection connection, String table) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet none = statement.executeQuery("SELECT * FROM " + table + " WHERE 1 = 0")) {
      ResultSetMetaData there = none.getMetaData();
      List<Field> found = new ArrayList<>();
      for (int i = 1; i <= there.getColumnCount(); i++) {
        String type = there.getColumnTypeName(i);
        found.add(new Field(there.getColumnLabel(i), there.getColumnType(i), type == null ? "" : type));
      }
      return found;
    }
  }

  /** Opens a new connection. */
  Connection connect() throws SQLException {
    Driver found = DriverRegistry.get(driver);
    Properties given = new Properties();
    given.putAll(properties);
    Connection connection;
    try {
      connection = found.connect(url, given);
    } catch (SQLException e) {
      throw new NoConnection(e.getMessage(), e);
    }
    if (connection == null) {
      throw new NoConnection("the driver " + driver + " does not accept this URL", null);
    }
    try (Statement statement = connection.createStatement()) {
      for (String sql : opening) {
        statement.execute(sql);
      }
      return connection;
    } catch (SQLException e) {
      connection.close();
      throw e;
    }
  }
}
