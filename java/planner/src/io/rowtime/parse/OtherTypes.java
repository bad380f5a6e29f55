package io.rowtime.parse;

import java.util.Locale;
import java.util.Map;

/** Names of types in other SQL dialects that this language lacks, with the types of this language. */
public final class OtherTypes {
  private static final String TEXT = "VARCHAR";
  private static final String JSON = "VARCHAR, and read it by JSON_VALUE(text, '$.path')";
  private static final String TIME = "TIMESTAMP(3): all times are UTC";

  private static final Map<String, String> TYPES = Map.ofEntries(
      Map.entry("DATETIME", TIME), Map.entry("DATETIME2", TIME), Map.entry("TIMESTAMPTZ", TIME), Map.entry("TIMESTAMP_LTZ", TIME),
      Map.entry("TIMESTAMP_NTZ", TIME), Map.entry("STRING", TEXT), Map.entry("TEXT", TEXT), Map.entry("NVARCHAR", TEXT),
      Map.entry("CLOB", TEXT), Map.entry("INT64", "BIGINT"), Map.entry("INT8", "BIGINT"), Map.entry("LONG", "BIGINT"),
      Map.entry("INT4", "INTEGER"), Map.entry("INT32", "INTEGER"), Map.entry("INT2", "SMALLINT"), Map.entry("SHORT", "SMALLINT"),
      Map.entry("BYTE", "TINYINT"), Map.entry("FLOAT64", "DOUBLE"), Map.entry("FLOAT8", "DOUBLE"), Map.entry("FLOAT4", "REAL"),
      Map.entry("BOOL", "BOOLEAN"), Map.entry("BYTES", "VARBINARY"), Map.entry("BYTEA", "VARBINARY"), Map.entry("BLOB", "VARBINARY"),
      Map.entry("JSON", JSON), Map.entry("JSONB", JSON), Map.entry("VARIANT", JSON), Map.entry("UUID", "VARCHAR(36)"),
      Map.entry("SERIAL", "INTEGER: rows are not numbered"), Map.entry("BIGSERIAL", "BIGINT: rows are not numbered"),
      Map.entry("NUMBER", "DECIMAL(10, 2), INTEGER or BIGINT"), Map.entry("VARCHAR2", TEXT), Map.entry("TIMESTAMP_TZ", TIME),
      Map.entry("MONEY", "DECIMAL(19, 2)"), Map.entry("BIGNUMERIC", "DECIMAL(38, 18)"), Map.entry("STRUCT", "ROW(a INTEGER, b VARCHAR)"));

  private OtherTypes() {}

  /** Returns a hint for the name of a type that does not exist; null if there is none. */
  public static String hint(String name) {
    String type = TYPES.get(name.toUpperCase(Locale.ROOT));
    return type == null ? null : "Write " + type;
  }
}
