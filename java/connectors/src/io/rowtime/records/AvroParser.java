package io.rowtime.records;

import io.rowtime.avro.AvroText;
import io.rowtime.avro.BoundedDecoder;
import io.rowtime.avro.BoundedReader;
import io.rowtime.avro.InvalidAvro;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.avro.AvroRuntimeException;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericRecord;

/** Parses one Avro record in Avro's binary format: with one fixed schema, or with the schema whose id it contains. */
final class AvroParser {
  /** A zero byte, and four bytes for the id of the schema. */
  private static final int FRAME = 5;

  private final RecordFormat layout;
  private final FieldNames names;
  private final UnknownFields unknown;
  /** The decoder for the fixed schema; null if a registry has the schemas. */
  private final RecordDecoder only;
  private final Map<Integer, Optional<RecordDecoder>> byId = new HashMap<>();
  private GenericRecord record;

  /** @param columns the column that each field of the schema fills, or -1 */
  private record RecordDecoder(Schema schema, int[] columns, BoundedReader reader) {}

  /** @param unknown counts the fields that fill no column */
  AvroParser(RecordFormat layout, FieldNames names, UnknownFields unknown) {
    this.layout = layout;
    this.names = names;
    this.unknown = unknown;
    this.only = layout.registry() == null ? decoder(layout.schema()) : null;
  }

  void parse(byte[] bytes, String[] cells) throws InvalidRecord {
    Arrays.fill(cells, null);
    RecordDecoder reading = only;
    int from = 0;
    if (layout.framing().equals("confluent")) {
      reading = framedDecoder(bytes);
      from = FRAME;
    }
    BoundedDecoder decoder = new BoundedDecoder(bytes, from);
    try {
      record = reading.reader.read(record, decoder);
      if (!decoder.isEnd()) {
        throw new InvalidRecord("broken Avro: bytes after the end of the record");
      }
      List<Schema.Field> fields = reading.schema.getFields();
      for (int i = 0; i < fields.size(); i++) {
        if (reading.columns[i] >= 0) {
          cells[reading.columns[i]] = AvroText.of(fields.get(i).schema(), record.get(i));
        } else {
          unknown.add(fields.get(i).name());
        }
      }
    } catch (EOFException e) {
      throw new InvalidRecord("broken Avro: the record is too short");
    } catch (InvalidAvro e) {
      record = null;
      throw new InvalidRecord("broken Avro: " + e.getMessage());
    } catch (IOException | RuntimeException | StackOverflowError e) {
      // For random bytes a decoder may throw any exception, and its message is about its internals.
      record = null;
      throw new InvalidRecord("broken Avro: the bytes are not a record of the schema");
    }
  }

  /** Returns the decoder for a record that starts with the id of its schema. */
  private RecordDecoder framedDecoder(byte[] bytes) throws InvalidRecord {
    if (bytes.length < FRAME || bytes[0] != 0) {
      throw new InvalidRecord("broken Avro: no Confluent frame");
    }
    int id = ByteBuffer.wrap(bytes, 1, FRAME - 1).getInt();
    if (only != null) {
      if (layout.schemaId() >= 0 && id != layout.schemaId()) {
        throw new InvalidRecord("the record has Avro schema " + id + ", not " + layout.schemaId());
      }
      return only;
    }
    return byId.computeIfAbsent(id, this::registeredDecoder)
        .orElseThrow(() -> new InvalidRecord("Avro schema " + id + " is not in the registry, or is not a record schema"));
  }

  private Optional<RecordDecoder> registeredDecoder(int id) {
    String schema = layout.registry().schema(id);
    try {
      return schema == null ? Optional.empty() : Optional.of(decoder(schema));
    } catch (AvroRuntimeException | StackOverflowError e) {
      return Optional.empty();
    }
  }

  private RecordDecoder decoder(String text) {
    Schema schema = new Schema.Parser().parse(text);
    int[] columns = schema.getFields().stream().mapToInt(field -> names.indexOf(field.name())).toArray();
    return new RecordDecoder(schema, columns, new BoundedReader(schema));
  }
}
