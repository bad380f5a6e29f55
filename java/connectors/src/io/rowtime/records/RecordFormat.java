package io.rowtime.records;

import io.rowtime.avro.SchemaRegistry;
import java.io.Serializable;
import java.util.Map;

/**
 * The format of records.
 *
 * @param format {@code json}, {@code csv}, {@code avro}, {@code debezium-json}, {@code row-json} (the whole object is a column); {@code raw} if no field is read from the records
 * @param lines whether records are the lines of files, see {@link LineFormat}
 * @param header whether the first line of each CSV file names the fields
 * @param delimiter the separator of CSV fields
 * @param schema the Avro schema, as JSON
 * @param framing {@code none}, or {@code confluent}: five bytes before each Avro record identify its schema
 * @param schemaId the schema id that these bytes must contain; or -1 for any
 * @param registry the registry of the schemas that they identify; null if all records have the same schema
 */
record RecordFormat(String format, boolean lines, boolean header, char delimiter, String schema, String framing, int schemaId,
    SchemaRegistry registry) implements Serializable {
  static final String DEBEZIUM = "debezium-json";

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
