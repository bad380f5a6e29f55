package io.rowtime.avro;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import io.rowtime.limits.Limits;
import java.io.IOException;
import java.io.StringWriter;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.temporal.ChronoUnit;
import java.util.Collection;
import java.util.HexFormat;
import java.util.Map;
import org.apache.avro.LogicalType;
import org.apache.avro.LogicalTypes;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericFixed;
import org.apache.avro.generic.IndexedRecord;

/**
 * Converts Avro values to the text that JSON and CSV fields have: times in ISO form, bytes in hex, nested values as
 * JSON.
 */
public final class AvroText {
  private static final JsonFactory JSON = new JsonFactory();

  private AvroText() {}

  /** Returns the text of a value of that schema; null for null. */
  public static String of(Schema schema, Object value) throws IOException {
    if (value == null) {
      return null;
    }
    Schema known = branch(schema, value);
    switch (known.getType()) {
      case RECORD, ARRAY, MAP -> {
        StringWriter text = new StringWriter();
        try (JsonGenerator json = JSON.createGenerator(text)) {
          write(json, known, value);
        }
        return text.toString();
      }
      default -> {
        Object plain = plainValue(known, value);
        return plain instanceof byte[] bytes ? HexFormat.of().formatHex(bytes)
            : plain instanceof BigDecimal number ? number.toPlainString() : plain.toString();
      }
    }
  }

  private static Schema branch(Schema schema, Object value) {
    return schema.getType() == Schema.Type.UNION
        ? schema.getTypes().get(GenericData.get().resolveUnion(schema, value)) : schema;
  }

  private static void write(JsonGenerator json, Schema schema, Object value) throws IOException {
    if (value == null) {
      json.writeNull();
      return;
    }
    Schema known = branch(schema, value);
    switch (known.getType()) {
      case RECORD -> {
        json.writeStartObject();
        for (Schema.Field field : known.getFields()) {
          json.writeFieldName(field.name());
          write(json, field.schema(), ((IndexedRecord) value).get(field.pos()));
        }
        json.writeEndObject();
      }
      case ARRAY -> {
        json.writeStartArray();
        for (Object element : (Collection<?>) value) {
          write(json, known.getElementType(), element);
        }
        json.writeEndArray();
      }
      case MAP -> {
        json.writeStartObject();
        for (Map.Entry<?, ?> entry : ((Map<?, ?>) value).entrySet()) {
          json.writeFieldName(entry.getKey().toString());
          write(json, known.getValueType(), entry.getValue());
        }
        json.writeEndObject();
      }
      default -> {
        Object plain = plainValue(known, value);
        if (plain instanceof byte[] bytes) {
          // The form in which Spark writes bytes to JSON.
          json.writeBinary(bytes);
        } else if (plain instanceof Number || plain instanceof Boolean) {
          json.writeObject(plain);
        } else {
          json.writeString(plain.toString());
        }
      }
    }
  }

  private static Object plainValue(Schema schema, Object value) {
    LogicalType logical = schema.getLogicalType();
    if (logical instanceof LogicalTypes.Decimal decimal) {
      return decimal(bytes(value), decimal.getScale());
    }
    switch (logical == null ? "" : logical.getName()) {
      case "date":
        return LocalDate.ofEpochDay(((Number) value).longValue());
      case "time-millis":
        return LocalTime.ofNanoOfDay(Math.multiplyExact(((Number) value).longValue(), 1_000_000L));
      case "time-micros":
        return LocalTime.ofNanoOfDay(Math.multiplyExact(((Number) value).longValue(), 1_000L));
      case "timestamp-millis", "local-timestamp-millis":
        return Instant.ofEpochMilli((Long) value);
      case "timestamp-micros", "local-timestamp-micros":
        return Instant.EPOCH.plus((Long) value, ChronoUnit.MICROS);
      case "timestamp-nanos", "local-timestamp-nanos":
        return Instant.EPOCH.plusNanos((Long) value);
      default:
        return value instanceof ByteBuffer || value instanceof GenericFixed ? bytes(value)
            : value instanceof Number || value instanceof Boolean ? value : value.toString();
    }
  }

  private static BigDecimal decimal(byte[] bytes, int scale) {
    if (bytes.length == 0) {
      throw new InvalidAvro("an empty decimal");
    }
    // A byte has more than two digits.
    if (2L * bytes.length > Limits.NUMBER_LENGTH || Math.abs((long) scale) > Limits.NUMBER_LENGTH) {
      throw new InvalidAvro(String.format("a decimal of %,d bytes and scale %,d", bytes.length, scale));
    }
    return new BigDecimal(new BigInteger(bytes), scale);
  }

  private static byte[] bytes(Object value) {
    if (value instanceof GenericFixed fixed) {
      return fixed.bytes();
    }
    ByteBuffer buffer = ((ByteBuffer) value).duplicate();
    byte[] found = new byte[buffer.remaining()];
    buffer.get(found);
    return found;
  }
}
