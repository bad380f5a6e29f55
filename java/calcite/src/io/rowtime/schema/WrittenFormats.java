package io.rowtime.schema;

import io.rowtime.table.SharedTable;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * How the formats of a warehouse compare with those that this code knows, from {@code formats.json} of the Python package.
 *
 * @param newer what wrote a part in a format that this code does not know; null if it knows all
 * @param isOlder whether a part has an earlier format, or none is recorded
 */
record WrittenFormats(String newer, boolean isOlder) {
  static final String UNKNOWN_WRITER = "a newer version of rowtime";
  private static final String CATALOG = "catalog";
  private static final Map<String, Integer> KNOWN = SharedTable.read(WrittenFormats.class, "formats.json", Format[].class).stream()
      .collect(Collectors.toMap(Format::part, Format::number));

  /** A line of the table. */
  private record Format(String part, int number, String what) {}

  static WrittenFormats read(Statement statement) throws SQLException {
    Map<String, Integer> numbers = new HashMap<>();
    Map<String, String> versions = new HashMap<>();
    try (ResultSet tables = statement.executeQuery("SELECT count(*) FROM sqlite_master WHERE name = 'format'")) {
      if (tables.getInt(1) > 0) {
        try (ResultSet rows = statement.executeQuery("SELECT part, number, version FROM format")) {
          while (rows.next()) {
            numbers.put(rows.getString(1), rows.getInt(2));
            versions.put(rows.getString(1), "rowtime " + rows.getString(3));
          }
        }
      }
    }
    try (ResultSet header = statement.executeQuery("PRAGMA user_version")) {
      numbers.put(CATALOG, header.getInt(1));
    }
    for (Map.Entry<String, Integer> part : numbers.entrySet()) {
      if (part.getValue() > KNOWN.getOrDefault(part.getKey(), 0)) {
        return new WrittenFormats(versions.getOrDefault(part.getKey(), UNKNOWN_WRITER), false);
      }
    }
    return new WrittenFormats(null, !numbers.equals(KNOWN));
  }
}
