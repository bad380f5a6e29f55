package io.rowtime.schema;

import io.rowtime.catalog.CatalogObject;
import io.rowtime.catalog.CatalogSnapshot;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.StringJoiner;
import java.util.zip.CRC32;

/**
 * Reads the catalog of a warehouse from its SQLite file ({@code rowtime/catalog/schema.py} creates the file). Read
 * only; any number of threads may use it.
 */
final class WarehouseCatalog {
  private static final String FILE = "catalog.db";
  /** The file that says in which database the catalog is, if it is in one. */
  private static final String MARKER = "catalog.json";
  private static final int APPLICATION_ID = 0x726F7774;

  private final Path warehouse;
  private final Path file;
  private State latest;

  /**
   * The contents of the catalog at one version.
   *
   * @param folders the folders of the data of tables and streams, by object name
   * @param made the names of the tables and streams that have been written to, so that their files must exist
   */
  record State(long version, CatalogSnapshot snapshot, Map<String, Path> folders, Set<String> made) {
    Collection<CatalogObject> objects() {
      return snapshot.objects();
    }
  }

  WarehouseCatalog(Path warehouse) {
    this.warehouse = warehouse;
    this.file = warehouse.resolve(FILE);
  }

  /** Returns the current state of the catalog; the same object as long as nothing changes. */
  synchronized State state() {
    if (!Files.isDirectory(warehouse)) {
      throw WarehouseException.unusable(warehouse, "there is no such folder", null);
    }
    if (Files.exists(warehouse.resolve(MARKER))) {
      throw WarehouseException.elsewhere(warehouse);
    }
    if (!Files.exists(file)) {
      throw WarehouseException.unusable(warehouse, "it has no catalog ('" + FILE + "')", null);
    }
    try (Connection db = DriverManager.getConnection("jdbc:sqlite:" + file.toUri() + "?mode=ro");
        Statement statement = db.createStatement()) {
      // One transaction, so that version and objects are of the same commit.
      statement.execute("BEGIN");
      checkLayout(statement);
      long version = number(statement, "SELECT version FROM meta");
      if (latest == null || latest.version() != version) {
        latest = read(statement, version);
      }
      return latest;
    } catch (SQLException e) {
      if (e.getMessage().contains("No suitable driver")) {
        throw WarehouseException.unusable(warehouse, "the class path has no driver for SQLite (org.xerial:sqlite-jdbc)", e);
      }
      throw e.getMessage().contains("BUSY") ? WarehouseException.unusable(warehouse, "it is locked by another process", e)
          : WarehouseException.notACatalog(file, null, e);
    }
  }

  private void checkLayout(Statement statement) throws SQLException {
    if (number(statement, "PRAGMA application_id") != APPLICATION_ID) {
      throw WarehouseException.notACatalog(file, null, null);
    }
    WrittenFormats written = WrittenFormats.read(statement);
    if (written.newer() != null) {
      throw WarehouseException.newer("The warehouse '" + warehouse + "'", written.newer(), null);
    }
    if (written.isOlder()) {
      throw WarehouseException.unusable(warehouse, "an earlier version of rowtime made it; this one upgrades it when it first opens it", null);
    }
  }

  private State read(Statement statement, long version) throws SQLException {
    StringJoiner objects = new StringJoiner(",", "[", "]");
    Map<String, String> ids = new LinkedHashMap<>();
    try (ResultSet rows = statement.executeQuery("SELECT id, name, since, definition, checksum FROM object ORDER BY position")) {
      while (rows.next()) {
        check("object", rows, 4);
        ids.put(rows.getString(2), rows.getString(1));
        objects.add(rows.getString(4));
      }
    }
    // The planner reads names, columns and values of LATENESS as JSON.
    String lateness = text(statement, "SELECT json_group_array(json_object('view', view, 'column', col, 'value', value)) FROM lateness");
    Set<String> written = new HashSet<>();
    try (ResultSet rows = statement.executeQuery("SELECT id, key, value, checksum FROM note WHERE key IN ('log', 'table')")) {
      while (rows.next()) {
        check("note", rows, 3);
        written.add(rows.getString(1));
      }
    }
    CatalogSnapshot snapshot = CatalogSnapshot.fromJson("{\"objects\":" + objects + ",\"lateness\":" + lateness + "}");
    Map<String, Path> folders = new LinkedHashMap<>();
    Set<String> made = new HashSet<>();
    for (CatalogObject object : snapshot.objects()) {
      String id = ids.get(object.name());
      folders.put(object.name(), warehouse.resolve(object.isStream() ? "streams" : "tables").resolve(id));
      if (written.contains(id)) {
        made.add(object.name());
      }
    }
    return new State(version, snapshot, folders, made);
  }

  /** Checks the CRC-32 of the first {@code columns} values, which is in the column after them. */
  private void check(String table, ResultSet row, int columns) throws SQLException {
    StringJoiner values = new StringJoiner("\0");
    for (int i = 1; i <= columns; i++) {
      values.add(row.getString(i));
    }
    CRC32 found = new CRC32();
    found.update(values.toString().getBytes(StandardCharsets.UTF_8));
    if (found.getValue() != row.getLong(columns + 1)) {
      throw WarehouseException.notACatalog(file, "a row of its table '" + table + "' does not match its checksum", null);
    }
  }

  private static long number(Statement statement, String query) throws SQLException {
    try (ResultSet rows = statement.executeQuery(query)) {
      return rows.getLong(1);
    }
  }

  private static String text(Statement statement, String query) throws SQLException {
    try (ResultSet rows = statement.executeQuery(query)) {
      return rows.getString(1);
    }
  }
}
