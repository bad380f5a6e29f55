package io.rowtime.avro;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.rowtime.spark.InternalRows;
import java.util.List;
import org.apache.avro.AvroRuntimeException;
import org.apache.avro.Schema;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.types.StructType;

/** Reads Avro schemas, and encodes rows as records of a schema, called from Python. */
public final class AvroSchemas {
  private AvroSchemas() {}

  /**
   * Returns the names of a schema's fields.
   *
   * @throws IllegalArgumentException if the text is not a record schema; the message gives the reason
   */
  public static List<String> fields(String text) {
    Schema schema;
    try {
      schema = new Schema.Parser().parse(text);
    } catch (AvroRuntimeException | NullPointerException e) {
      // For a reference to a type that is missing, some releases of Avro throw a NullPointerException.
      throw new IllegalArgumentException(reason(e));
    }
    if (schema.getType() != Schema.Type.RECORD) {
      throw new IllegalArgumentException("it is of type " + schema.getType().getName() + ", not a record");
    }
    return schema.getFields().stream().map(Schema.Field::name).toList();
  }

  private static String reason(RuntimeException fault) {
    return fault.getCause() instanceof JsonProcessingException json
        ? json.getOriginalMessage().replaceFirst(" \\(start marker at .*", "")
            + " (line " + json.getLocation().getLineNr() + ", column " + json.getLocation().getColumnNr() + ")"
        : String.valueOf(fault.getMessage()).strip().lines().findFirst().orElse("")
            .replaceFirst("org\\.apache\\.avro\\.compiler\\.UnresolvedSchema_\\w+", "a type that it does not define");
  }

  /**
   * Returns the fields that a row must fill, because they are not nullable and have no default, but that are not in
   * {@code columns}.
   */
  public static List<String> unfilledFields(String text, List<String> columns) {
    return new Schema.Parser().parse(text).getFields().stream()
        .filter(field -> !field.hasDefaultValue() && !field.schema().isNullable())
        .map(Schema.Field::name)
        .filter(name -> columns.stream().noneMatch(name::equalsIgnoreCase))
        .toList();
  }

  /**
   * Encodes the first column of rows, a struct, as a record in Avro's binary format; a field takes the value of the
   * struct's field of the same name.
   *
   * @param prefix the bytes before each record, in hex
   */
  public static Dataset<Row> encode(Dataset<Row> rows, String schema, String prefix) {
    StructType given = rows.schema();
    StructType made = new StructType();
    for (int i = 0; i < given.length(); i++) {
      made = i == 0 ? made.add(given.apply(0).name(), "binary", false) : made.add(given.apply(i));
    }
    return rows.as(InternalRows.encoder(given))
        .mapPartitions(new AvroEncoder(schema, given, prefix), InternalRows.encoder(made))
        .toDF();
  }
}
