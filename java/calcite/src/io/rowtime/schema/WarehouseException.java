package io.rowtime.schema;

import java.nio.file.Path;

/**
 * Thrown if a warehouse cannot be read, or not for this query. The message starts with the code of the diagnostic,
 * because clients of Calcite's JDBC driver see nothing else of it.
 */
public final class WarehouseException extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final String code;

  WarehouseException(String code, String message, String hint, Throwable cause) {
    super(code + ": " + message + (hint == null ? "" : ". " + hint), cause);
    this.code = code;
  }

  /** Returns the code of the diagnostic, for example {@code RT0605}. */
  public String code() {
    return code;
  }

  static WarehouseException unusable(Path warehouse, String why, Throwable cause) {
    return new WarehouseException("RT0601", "The warehouse '" + warehouse + "' cannot be used: " + why,
        "Name another folder as 'warehouse' of the schema", cause);
  }

  static WarehouseException elsewhere(Path warehouse) {
    return new WarehouseException("RT0659",
        "The catalog of the warehouse '" + warehouse + "' is in a database, which the schema for Calcite does not read",
        "Query it with the JDBC driver of rowtime, from 'rowtime serve'", null);
  }

  static WarehouseException notACatalog(Path file, String why, Throwable cause) {
    return new WarehouseException("RT0602",
        "The file '" + file + "' is not a rowtime catalog, or it is damaged" + (why == null ? "" : ": " + why),
        "Restore it from a backup, or name another folder as 'warehouse' of the schema", cause);
  }

  /** {@code writer} is what wrote it, such as {@code rowtime 2.0.0}. */
  static WarehouseException newer(String what, String writer, Throwable cause) {
    return new WarehouseException("RT0603", what + " was written by " + writer, "Use the jars of that version", cause);
  }

  static WarehouseException damaged(String name, String why, Throwable cause) {
    return new WarehouseException("RT0605", "The log of '" + name + "' is damaged: " + why,
        "Run the query again if another process has changed the table meanwhile; else restore the file from a backup, or drop the object and create it again", cause);
  }
}
