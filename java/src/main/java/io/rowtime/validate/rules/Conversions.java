package io.rowtime.validate.rules;

import io.rowtime.catalog.CatalogObject;
import io.rowtime.diagnostic.Diagnostic;
import org.apache.calcite.sql.parser.SqlParserPos;

/** Diagnostics for inputs that cannot be read in the way that a query requires. */
public final class Conversions {
  private Conversions() {}

  /** Returns the error for an object of the catalog that cannot be read as a stream, or as a relation. */
  public static Diagnostic refused(CatalogObject object, boolean stream, SqlParserPos place) {
    return stream
        ? Diagnostic.error("RT0102", place, "Cannot convert table '" + object.name() + "' to a stream",
            "leave out STREAM, or declare LATENESS, WATERMARK or MONOTONIC on a column of the table")
        : Diagnostic.error("RT0103", place, "Cannot convert stream '" + object.name() + "' to a table",
            "write SELECT STREAM, or create the stream with OPTIONS (history 'all') or (history '24 HOURS')");
  }

  /** Returns the error for constant rows in a streaming query. */
  public static Diagnostic values(SqlParserPos place) {
    return Diagnostic.error("RT0104", place, "Cannot stream VALUES", "constant rows are not a stream; select them without STREAM");
  }
}
