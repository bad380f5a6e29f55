package io.rowtime.spark;

import org.apache.spark.sql.Column;
import org.apache.spark.sql.types.Metadata;

/** Columns that Python asks for, one call for each. */
public final class Columns {
  private Columns() {}

  /** Returns a column under a name, without any metadata. */
  public static Column plain(Column value, String name) {
    return value.as(name, Metadata.empty());
  }
}
