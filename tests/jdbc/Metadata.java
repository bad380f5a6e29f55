import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/** Asks what DBeaver's generic driver asks: when it connects, and for what its navigator shows. */
public class Metadata {
  public static void main(String[] args) throws Exception {
    try (Connection connection = DriverManager.getConnection(args[0]); Statement statement = connection.createStatement()) {
      statement.execute("CREATE TABLE products (id INTEGER, name VARCHAR(20) NOT NULL, price DECIMAL(10, 2) DEFAULT 1.5, "
          + "tags VARCHAR ARRAY, PRIMARY KEY (id))");
      statement.execute("CREATE STREAM orders (id BIGINT)");
      statement.execute("CREATE VIEW big AS SELECT STREAM * FROM orders WHERE id > 3");
      DatabaseMetaData meta = connection.getMetaData();
      System.out.println("valid " + connection.isValid(5) + ", catalog " + connection.getCatalog() + ", schema " + connection.getSchema());
      System.out.println("product " + meta.getDatabaseProductName() + ", driver " + meta.getDriverName());
      System.out.println("versions " + meta.getDatabaseProductVersion().equals(meta.getDriverVersion()) + " "
          + (meta.getDatabaseMajorVersion() >= 0) + " " + (meta.getDatabaseMinorVersion() >= 0));
      System.out.println("read-only " + meta.isReadOnly() + ", batches " + meta.supportsBatchUpdates() + ", transactions "
          + meta.supportsTransactions() + ", auto-commit " + connection.getAutoCommit());
      System.out.println("terms " + (meta.getSchemaTerm() != null) + " " + (meta.getProcedureTerm() != null) + " "
          + (meta.getCatalogTerm() != null));
      System.out.println("quote " + meta.getIdentifierQuoteString() + ", escape " + meta.getSearchStringEscape() + ", upper "
          + meta.storesUpperCaseIdentifiers() + ", mixed in quotes " + meta.supportsMixedCaseQuotedIdentifiers());
      System.out.println("keywords " + meta.getSQLKeywords().contains("STREAM") + ", functions "
          + meta.getStringFunctions().contains("UPPER") + ", url " + meta.getURL().equals(args[0]));
      System.out.println("dialect " + meta.getCatalogSeparator() + " " + meta.isCatalogAtStart() + " " + meta.supportsUnion() + " "
          + meta.supportsSubqueriesInExists() + " " + meta.nullPlusNonNullIsNull() + " [" + meta.getExtraNameCharacters() + "]");
      print("catalogs", meta.getCatalogs(), 1);
      print("schemas", meta.getSchemas(), 1);
      print("table types", meta.getTableTypes(), 1);
      print("tables", meta.getTables(null, null, "%", null), 3, 4);
      print("tables of types", meta.getTables(null, null, "PROD%", new String[] {"TABLE"}), 3, 4);
      print("columns", meta.getColumns(null, null, "PRODUCTS", "%"), 4, 5, 6, 7, 9, 11, 13, 17, 18);
      print("primary keys", meta.getPrimaryKeys(null, null, "PRODUCTS"), 3, 4, 5);
      print("indexes", meta.getIndexInfo(null, null, "PRODUCTS", false, true), 6);
      print("imported keys", meta.getImportedKeys(null, null, "PRODUCTS"), 4);
      print("exported keys", meta.getExportedKeys(null, null, "PRODUCTS"), 4);
      print("procedures", meta.getProcedures(null, null, "%"), 3);
      print("functions", meta.getFunctions(null, null, "%"), 3);
      print("function columns", meta.getFunctionColumns(null, null, "%", "%"), 4);
      ResultSet types = meta.getTypeInfo();
      int count = 0;
      while (types.next()) {
        count++;
      }
      System.out.println("types " + count);
      try (ResultSet rows = statement.executeQuery("SELECT * FROM products")) {
        for (int i = 1; i <= rows.getMetaData().getColumnCount(); i++) {
          System.out.println("result " + rows.getMetaData().getColumnLabel(i) + " " + rows.getMetaData().getColumnType(i) + " "
              + rows.getMetaData().getColumnTypeName(i) + " " + rows.getMetaData().isNullable(i));
        }
      }
    }
  }

  private static void print(String what, ResultSet rows, int... columns) throws SQLException {
    System.out.println(what + ":");
    while (rows.next()) {
      StringBuilder line = new StringBuilder(" ");
      for (int column : columns) {
        line.append(' ').append(rows.getString(column));
      }
      System.out.println(line);
    }
    rows.close();
  }
}
