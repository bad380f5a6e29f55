package io.rowtime.avro;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.rowtime.spark.InternalRows;
import java.util.List;
import org.apache.avro.AvroRuntimeException;
import org.apache.avro.Schema;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.types.StructType;

/** Avro schemas, and rows as records of one, for Python to call. */
public final class AvroSchemas {
  private AvroSchemas() {}

  /**
   * The names of a schema's fields.
   *
   * @throws IllegalArgumentException if the text is no schema of a record; the message says why
   */
  public static List<String> fields(String text) {
    Schema schema;
    try {
      schema = new Schema.Parser().parse(text);
    } catch (AvroRuntimeException | NullPointerException e) {
      // What names a type that is not there is, for some releases of Avro, a null pointer.
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
   * The fields that a row must fill, as they are neither nullable nor have a default, and that none of {@code columns}
   * fills.
   */
  public static List<String> unfilled(String text, List<String> columns) {
    return new Schema.Parser().parse(text).getFields().stream()
        .filter(field -> !field.hasDefaultValue() && !field.schema().isNullable())
        .map(Schema.Field::name)
        .filter(name -> columns.stream().noneMatch(name::equalsIgnoreCase))
        .toList();
  }

  /**
   * Rows whose first column, a struct, has become a record in Avro's binary form; a field takes the value of the
   * struct's field of its name.
   *
   * @param prefix what stands before each record, as hex
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
