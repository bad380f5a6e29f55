import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Types;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.Callable;

/**
 * Sends the requests of DBeaver's generic driver, and reads the answers as it does: prints a line {@code name: answer}
 * for each check. Columns of listings are read by name.
 */
public class DBeaver {
  private static Connection connection;
  private static DatabaseMetaData meta;

  public static void main(String[] args) throws Exception {
    connecting(args[0]);
    try (Statement statement = connection.createStatement()) {
      for (String sql : args[1].split(";\n")) {
        statement.execute(sql);
      }
    }
    dataSource();
    dialect();
    structure();
    tables();
    columns();
    keysAndIndexes();
    functions();
    results();
    statements();
    connection.close();
    check("a closed connection is not alive", () -> connection.isClosed() + " " + connection.isValid(5));
  }

  private static void check(String name, Callable<Object> answer) {
    Object found;
    try {
      found = answer.call();
    } catch (Throwable e) {
      found = e.getClass().getSimpleName() + ": " + e.getMessage();
    }
    System.out.println(name + ": " + found);
  }

  /**
   * Returns the rows of a listing: the columns with these names, which DBeaver reads; it gets the statement of the
   * result, and closes both.
   */
  private static String rows(ResultSet rows, String... columns) throws SQLException {
    List<String> lines = new ArrayList<>();
    try (Statement source = rows.getStatement(); rows) {
      if (source == null) {
        return "a result without a statement";
      }
      while (rows.next()) {
        List<String> line = new ArrayList<>();
        for (String column : columns) {
          String text = rows.getString(column);
          line.add(text == null ? null : text.replaceAll("\\s+", " "));
        }
        lines.add(String.join(" ", line));
      }
    }
    return String.join("; ", lines);
  }

  private static void connecting(String url) throws Exception {
    java.sql.Driver driver = (java.sql.Driver) Class.forName("io.rowtime.driver.Driver").getDeclaredConstructor().newInstance();
    check("the class of the driver accepts the URL", () -> driver.acceptsURL(url) + " " + driver.acceptsURL("jdbc:other://host"));
    check("properties of the driver", () -> driver.getPropertyInfo(url, new Properties()) != null);
    Properties given = new Properties();
    given.setProperty("user", "ada");
    connection = driver.connect(url, given);
    meta = connection.getMetaData();
    check("isolation", () -> {
      connection.setTransactionIsolation(Connection.TRANSACTION_NONE);
      return connection.getTransactionIsolation();
    });
    check("auto-commit", () -> {
      connection.setAutoCommit(true);
      return connection.getAutoCommit();
    });
    check("a connection is alive", () -> connection.isValid(5) + " " + connection.isClosed());
    check("client info", () -> rows(meta.getClientInfoProperties(), "NAME"));
    check("active catalog and schema", () -> connection.getCatalog() + " " + connection.getSchema());
    check("read-only", () -> connection.isReadOnly());
    check("warnings", () -> {
      connection.clearWarnings();
      return connection.getWarnings();
    });
  }

  private static void dataSource() {
    check("isReadOnly", () -> meta.isReadOnly());
    check("product", () -> meta.getDatabaseProductName() + ", " + meta.getDriverName());
    check("versions", () -> meta.getDatabaseProductVersion().matches("\\d+\\.\\d+.*") && meta.getDriverVersion().matches("\\d+\\.\\d+.*"));
    check("version numbers", () -> meta.getDatabaseMajorVersion() + "." + meta.getDatabaseMinorVersion());
    check("terms", () -> meta.getSchemaTerm() + ", " + meta.getProcedureTerm() + ", " + meta.getCatalogTerm());
    check("batches", () -> meta.supportsBatchUpdates());
    check("transactions", () -> meta.supportsTransactions());
    check("isolation levels", () -> meta.supportsTransactionIsolationLevel(Connection.TRANSACTION_SERIALIZABLE));
    check("scrolling", () -> meta.supportsResultSetType(ResultSet.TYPE_SCROLL_INSENSITIVE));
  }

  private static void dialect() {
    check("quote", () -> meta.getIdentifierQuoteString());
    check("type of SQLSTATE", () -> meta.getSQLStateType() == DatabaseMetaData.sqlStateSQL);
    check("sub-queries", () -> meta.supportsCorrelatedSubqueries() + " " + meta.supportsSubqueriesInComparisons() + " "
        + meta.supportsSubqueriesInExists() + " " + meta.supportsSubqueriesInIns() + " " + meta.supportsSubqueriesInQuantifieds());
    check("mixed case", () -> meta.supportsMixedCaseIdentifiers() + " " + meta.supportsMixedCaseQuotedIdentifiers());
    check("case of names", () -> meta.storesUpperCaseIdentifiers() + " " + meta.storesLowerCaseIdentifiers());
    check("case of quoted names", () -> meta.storesUpperCaseQuotedIdentifiers() + " " + meta.storesLowerCaseQuotedIdentifiers());
    check("escape of patterns", () -> meta.getSearchStringEscape());
    check("separator of catalogs", () -> meta.getCatalogSeparator() + " " + meta.isCatalogAtStart());
    check("use of catalogs", () -> meta.supportsCatalogsInDataManipulation() || meta.supportsCatalogsInTableDefinitions()
        || meta.supportsCatalogsInProcedureCalls() || meta.supportsCatalogsInIndexDefinitions()
        || meta.supportsCatalogsInPrivilegeDefinitions());
    check("use of schemas", () -> meta.supportsSchemasInDataManipulation() || meta.supportsSchemasInTableDefinitions()
        || meta.supportsSchemasInProcedureCalls() || meta.supportsSchemasInIndexDefinitions()
        || meta.supportsSchemasInPrivilegeDefinitions());
    check("extra characters", () -> "[" + meta.getExtraNameCharacters() + "]");
    check("keywords", () -> List.of(meta.getSQLKeywords().split(",")).containsAll(List.of("STREAM", "PUMP", "ROWTIME")));
    check("functions of the dialect", () -> List.of(meta.getNumericFunctions().split(",")).contains("ABS")
        && List.of(meta.getStringFunctions().split(",")).contains("UPPER")
        && List.of(meta.getSystemFunctions().split(",")).contains("COALESCE")
        && List.of(meta.getTimeDateFunctions().split(",")).contains("EXTRACT"));
    check("data types", () -> rows(meta.getTypeInfo(), "TYPE_NAME", "DATA_TYPE", "PRECISION", "MINIMUM_SCALE", "MAXIMUM_SCALE"));
    check("traits of data types", () -> {
      List<String> found = new ArrayList<>();
      try (ResultSet types = meta.getTypeInfo()) {
        while (types.next()) {
          boolean number = types.getInt("NUM_PREC_RADIX") == 10;
          if (types.getString("LOCAL_TYPE_NAME") == null || types.getInt("SEARCHABLE") == 0 || types.getBoolean("UNSIGNED_ATTRIBUTE") == number) {
            found.add(types.getString("TYPE_NAME"));
          }
        }
      }
      return found;
    });
  }

  private static void structure() {
    check("catalogs", () -> rows(meta.getCatalogs(), "TABLE_CAT"));
    check("schemas", () -> rows(meta.getSchemas(), "TABLE_SCHEM", "TABLE_CATALOG"));
    check("schemas by pattern", () -> rows(meta.getSchemas(null, "%"), "TABLE_SCHEM"));
    check("table types", () -> rows(meta.getTableTypes(), "TABLE_TYPE"));
  }

  private static void tables() {
    check("all tables", () -> rows(meta.getTables(null, null, "%", null), "TABLE_SCHEM", "TABLE_NAME", "TABLE_TYPE"));
    // Special characters in the name are escaped for the pattern.
    check("a table by its name", () -> rows(meta.getTables(null, null, "PRICE\\_LIST", null), "TABLE_NAME"));
    check("a name that only resembles the pattern", () -> rows(meta.getTables(null, null, "PRICEXLIST", null), "TABLE_NAME"));
    check("tables of types", () -> rows(meta.getTables(null, null, "%", new String[] {"STREAM", "VIEW"}), "TABLE_NAME"));
    check("remarks", () -> rows(meta.getTables(null, null, "BIG", null), "REMARKS"));
    check("tables of another schema", () -> rows(meta.getTables(null, "OTHER", "%", null), "TABLE_NAME"));
  }

  private static void columns() {
    String[] read = {"COLUMN_NAME", "DATA_TYPE", "TYPE_NAME", "COLUMN_SIZE", "DECIMAL_DIGITS", "NUM_PREC_RADIX", "NULLABLE", "COLUMN_DEF",
        "CHAR_OCTET_LENGTH", "ORDINAL_POSITION"};
    check("columns of a table", () -> rows(meta.getColumns(null, null, "PRICE\\_LIST", "%"), read));
    check("columns of a stream", () -> rows(meta.getColumns(null, null, "ORDERS", "%"), "COLUMN_NAME", "TYPE_NAME", "REMARKS"));
    check("columns of a view", () -> rows(meta.getColumns(null, null, "BIG", "%"), "COLUMN_NAME", "TYPE_NAME"));
    check("columns of all tables", () -> rows(meta.getColumns(null, null, "%", "ID"), "TABLE_NAME", "COLUMN_NAME"));
    check("columns that are made", () -> rows(meta.getColumns(null, null, "ORDERS", "ID"), "IS_AUTOINCREMENT", "IS_GENERATEDCOLUMN",
        "SOURCE_DATA_TYPE"));
  }

  private static void keysAndIndexes() {
    check("primary key", () -> rows(meta.getPrimaryKeys(null, null, "PRICE_LIST"), "TABLE_NAME", "COLUMN_NAME", "KEY_SEQ", "PK_NAME"));
    check("primary keys of all tables", () -> rows(meta.getPrimaryKeys(null, null, "%"), "TABLE_NAME", "COLUMN_NAME", "KEY_SEQ"));
    check("primary key of a stream", () -> rows(meta.getPrimaryKeys(null, null, "ORDERS"), "COLUMN_NAME"));
    check("indexes", () -> rows(meta.getIndexInfo(null, null, "PRICE_LIST", false, true), "INDEX_NAME", "COLUMN_NAME", "NON_UNIQUE"));
    check("imported keys", () -> rows(meta.getImportedKeys(null, null, "PRICE_LIST"), "PKTABLE_NAME", "FKCOLUMN_NAME", "FK_NAME"));
    check("exported keys", () -> rows(meta.getExportedKeys(null, null, "PRICE_LIST"), "FKTABLE_NAME", "FKCOLUMN_NAME", "FK_NAME"));
  }

  private static void functions() {
    check("functions", () -> rows(meta.getFunctions(null, null, "%"), "FUNCTION_NAME", "SPECIFIC_NAME", "FUNCTION_TYPE"));
    check("source of a function", () -> rows(meta.getFunctions(null, null, "HALF"), "REMARKS"));
    String[] read = {"COLUMN_NAME", "COLUMN_TYPE", "DATA_TYPE", "TYPE_NAME", "PRECISION", "SCALE", "NULLABLE", "ORDINAL_POSITION"};
    check("parameters", () -> rows(meta.getFunctionColumns(null, null, "HALF", "%"), read));
    check("parameters of a table function", () -> rows(meta.getFunctionColumns(null, null, "COUNTED", "%"), read));
    check("procedures", () -> rows(meta.getProcedures(null, null, "%"), "PROCEDURE_NAME"));
    check("parameters of procedures", () -> rows(meta.getProcedureColumns(null, null, "%", "%"), "COLUMN_NAME"));
  }

  private static void results() {
    check("columns of a result", () -> {
      List<String> found = new ArrayList<>();
      try (Statement statement = connection.createStatement();
          ResultSet result = statement.executeQuery("SELECT id, price AS cost, name FROM price_list")) {
        ResultSetMetaData of = result.getMetaData();
        for (int i = 1; i <= of.getColumnCount(); i++) {
          found.add(String.join(" ", of.getColumnLabel(i), of.getColumnName(i), of.getColumnTypeName(i), "" + of.getColumnType(i),
              "" + of.getPrecision(i), "" + of.getScale(i), "" + of.getColumnDisplaySize(i), "" + of.isNullable(i),
              "" + of.isAutoIncrement(i), "[" + of.getTableName(i) + of.getSchemaName(i) + of.getCatalogName(i) + "]"));
        }
      }
      return String.join("; ", found);
    });
    check("values of a result", () -> {
      try (Statement statement = connection.createStatement();
          ResultSet result = statement.executeQuery("SELECT CAST(7 AS INTEGER), 1.50, 'text', TRUE, DATE '2026-01-02', "
              + "TIMESTAMP '2026-01-02 03:04:05', X'0AFF', CAST(NULL AS INTEGER), ARRAY[1, 2]")) {
        result.next();
        List<String> found = new ArrayList<>();
        for (int i = 1; i <= 8; i++) {
          Object value = result.getObject(i);
          String text = value instanceof byte[] bytes ? HexFormat.of().formatHex(bytes) : result.getString(i);
          found.add((value == null ? null : value.getClass().getSimpleName()) + " " + text);
        }
        return String.join(", ", found) + ", " + List.of((Object[]) result.getArray(9).getArray()) + " " + result.wasNull();
      }
    });
  }

  private static void statements() {
    check("a script's statement", () -> {
      try (Statement statement = connection.createStatement(ResultSet.TYPE_FORWARD_ONLY, ResultSet.CONCUR_READ_ONLY)) {
        statement.setQueryTimeout(20);
        statement.setFetchSize(200);
        statement.setEscapeProcessing(false);
        boolean first = statement.execute("INSERT INTO price_list VALUES (1, 'a', 2.50, NULL)");
        int count = statement.getUpdateCount();
        boolean second = statement.execute("SELECT * FROM price_list");
        return first + " " + count + ", " + second + " " + statement.getUpdateCount() + ", " + statement.getWarnings() + ", "
            + statement.getMoreResults() + " " + statement.getUpdateCount();
      }
    });
    check("the first rows", () -> {
      try (Statement statement = connection.createStatement()) {
        statement.setMaxRows(2);
        int count = 0;
        ResultSet rows = statement.executeQuery("SELECT * FROM (VALUES (1), (2), (3), (4)) AS t (n)");
        while (rows.next()) {
          count++;
        }
        return count;
      }
    });
    check("prepared, with the types of parameters", () -> {
      try (var prepared = connection.prepareStatement("SELECT name FROM price_list WHERE id = ?")) {
        prepared.setInt(1, 1);
        ResultSet rows = prepared.executeQuery();
        rows.next();
        return rows.getString(1) + " " + (prepared.getParameterMetaData().getParameterType(1) == Types.INTEGER);
      }
    });
    check("a generated statement with a quoted name", () -> {
      try (Statement statement = connection.createStatement();
          ResultSet rows = statement.executeQuery("SELECT x.\"ID\" FROM \"PRICE_LIST\" x")) {
        return rows.next() + " " + rows.getInt(1);
      }
    });
    check("the place of an error", () -> {
      try (Statement statement = connection.createStatement()) {
        return statement.execute("SELECT\n  * FROM nowhere");
      } catch (SQLException e) {
        return e.getSQLState() + " " + e.getErrorCode() + " " + e.getMessage().lines().findFirst().get();
      }
    });
  }
}
