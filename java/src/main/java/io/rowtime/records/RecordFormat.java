package io.rowtime.records;

import io.rowtime.avro.SchemaRegistry;
import java.io.Serializable;
import java.util.Map;

/**
 * How records are written.
 *
 * @param format {@code json}, {@code csv}, {@code avro}; {@code raw}, where no field is read from them
 * @param lines whether they are the lines of files: blank ones are none, and a file may begin with a header
 * @param header whether the first line of each CSV file names the fields
 * @param delimiter between the fields of CSV
 * @param schema of Avro, as JSON
 * @param framing {@code none}, or {@code confluent}: five bytes before each Avro record say which schema it has
 * @param schemaId the number of the schema that these bytes must have; or -1, where any will do
 * @param registry of the schemas that they name; null if all records have the one
 */
record RecordFormat(String format, boolean lines, boolean header, char delimiter, String schema, String framing, int schemaId,
    SchemaRegistry registry) implements Serializable {

  static RecordFormat of(Map<String, String> options) {
    return new RecordFormat(options.get("format"), Boolean.parseBoolean(options.get("lines")),
        Boolean.parseBoolean(options.get("header")), options.getOrDefault("delimiter", ",").charAt(0),
        options.get("avro_schema"), options.getOrDefault("avro_framing", "none"),
        Integer.parseInt(options.getOrDefault("avro_schema_id", "-1")), options.containsKey("avro_registry")
            ? new SchemaRegistry(options.get("avro_registry"), options.get("avro_registry_user"), options.get("avro_registry_password")) : null);
  }

  boolean is(String name) {
    return format.equals(name);
  }
}
