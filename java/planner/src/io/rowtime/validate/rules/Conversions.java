package io.rowtime.validate.rules;

import io.rowtime.catalog.CatalogObject;
import io.rowtime.catalog.Connector;
import io.rowtime.catalog.Spelling;
import io.rowtime.diagnostic.Diagnostic;
import java.util.Locale;
import org.apache.calcite.sql.parser.SqlParserPos;

/** Diagnostics for inputs that cannot be read in the way that a query requires. */
public final class Conversions {
  private Conversions() {}

  /** Returns the error for an object of the catalog that cannot be read as a stream, or as a relation. */
  public static Diagnostic notReadable(CatalogObject object, boolean stream, SqlParserPos place) {
    String what = describe(object);
    Connector connector = object.connector();
    if (object.isForeign() && !connector.exists()) {
      return unknown(what, connector, place);
    }
    if (object.isForeign() && stream && connector.hasUpserts(object.options())) {
      return Diagnostic.error("RT0548", place, "The " + what + " cannot be read as a stream: its records replace and delete earlier ones",
          "leave out STREAM" + (object.isStream() ? ", and declare it as a FOREIGN TABLE" : "") + ", which has the latest row of each key;"
              + " or declare a FOREIGN STREAM with the columns op TINYINT and payload ROW(…) of its changes, and read FROM_CHANGELOG of it");
    }
    if (object.isForeign() && stream && !connector.streams()) {
      return Diagnostic.error("RT0548", place, "The " + what + " cannot be read as a stream: its connector '" + connector.name()
          + "' does not report new rows", "leave out STREAM" + (object.isStream() ? ", and declare it as a FOREIGN TABLE" : "")
          + "; or let the source send its rows to one that is read as a stream, such as Kafka");
    }
    if (object.isForeign() && !stream && !connector.tables()) {
      return Diagnostic.error("RT0529", place, "The " + what + " has no history: its connector is '" + connector.name() + "'",
          (object.isStream() ? "write SELECT STREAM" : "declare it as a FOREIGN STREAM")
              + "; to keep its rows, insert them with a pump into a stream with OPTIONS (history 'all')");
    }
    return stream
        ? Diagnostic.error("RT0102", place, "Cannot convert table '" + object.name() + "' to a stream",
            "leave out STREAM; or read its changes, FROM TO_CHANGELOG(" + object.name() + ")"
                + (object.isMaterializedView() ? "" : "; or declare LATENESS, WATERMARK or MONOTONIC on a column of the table"))
        : Diagnostic.error("RT0103", place, "Cannot convert stream '" + object.name() + "' to a table",
            object.isForeign() ? "write SELECT STREAM, or declare it as a FOREIGN TABLE, which has the rows of the moment"
                : "write SELECT STREAM, or create the stream with OPTIONS (history 'all') or (history '24 HOURS')");
  }

  /**
   * Returns the error for a table whose changes cannot be read as a stream.
   *
   * @param named whether the query asks for the changes, by TO_CHANGELOG
   */
  public static Diagnostic noChanges(CatalogObject object, SqlParserPos place, boolean named) {
    String hint = object.isForeign() ? "copy its rows into a table of the warehouse from time to time, by MERGE; or join it with a stream, whose rows look it up"
        : object.isSystem() ? "read it without STREAM"
        : named ? "read it as a stream, without TO_CHANGELOG: its columns have an order"
        : "a pump copies its rows into a stream, INSERT INTO … SELECT STREAM …, which can be read instead";
    return Diagnostic.error("RT0102", place, "Cannot read the changes of " + describe(object) + ": no commits say which rows have been removed", hint);
  }

  /** Returns how messages name an object. */
  public static String describe(CatalogObject object) {
    return object.kind().toLowerCase(Locale.ROOT) + " '" + object.name() + "'";
  }

  /** Returns the error for a connector that does not exist. */
  public static Diagnostic unknown(String what, Connector connector, SqlParserPos place) {
    return Diagnostic.error("RT0522", place, "The " + what + " has connector '" + connector.name() + "'; known values are "
        + String.join(", ", Connector.names()),
        Connector.called(connector.name()).map(other -> "its name here is '" + other.name() + "'" + format(other, connector.name()))
            .or(() -> Spelling.nearest(connector.name(), Connector.names()).map(name -> "did you mean '" + name + "'?")).orElse(null));
  }

  /** Returns how to name a format that others take for a connector. */
  private static String format(Connector connector, String name) {
    return connector.options().stream().anyMatch(rule -> rule.name().equals("format") && rule.values().contains(name))
        ? ", with format '" + name + "'" : "";
  }

  /** Returns the error for constant rows in a streaming query. */
  public static Diagnostic values(SqlParserPos place) {
    return Diagnostic.error("RT0104", place, "Cannot stream VALUES", "constant rows are not a stream; select them without STREAM");
  }
}
