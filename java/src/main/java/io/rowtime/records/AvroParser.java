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

/** One Avro record, in Avro's binary form: of one schema, or of the one whose id it carries. */
final class AvroParser {
  /** A zero, and four bytes for the number of the schema. */
  private static final int FRAME = 5;

  private final RecordFormat layout;
  private final FieldNames names;
  /** How records of the only schema are read; null if a registry has them. */
  private final Reading only;
  private final Map<Integer, Optional<Reading>> byId = new HashMap<>();
  private GenericRecord record;

  /** @param columns which column each field of the schema fills, or -1 */
  private record Reading(Schema schema, int[] columns, BoundedReader reader) {}

  AvroParser(RecordFormat layout, FieldNames names) {
    this.layout = layout;
    this.names = names;
    this.only = layout.registry() == null ? reading(layout.schema()) : null;
  }

  void parse(byte[] bytes, String[] cells) throws InvalidRecord {
    Arrays.fill(cells, null);
    Reading reading = only;
    int from = 0;
    if (layout.framing().equals("confluent")) {
      reading = framed(bytes);
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
        }
      }
    } catch (EOFException e) {
      throw new InvalidRecord("broken Avro: the record is too short");
    } catch (InvalidAvro e) {
      record = null;
      throw new InvalidRecord("broken Avro: " + e.getMessage());
    } catch (IOException | RuntimeException | StackOverflowError e) {
      // What bytes at random do to a decoder has no one exception, and what it says is for those who know its insides.
      record = null;
      throw new InvalidRecord("broken Avro: the bytes are not a record of the schema");
    }
  }

  /** How to read a record that begins with the id of its schema. */
  private Reading framed(byte[] bytes) throws InvalidRecord {
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
    return byId.computeIfAbsent(id, this::registered)
        .orElseThrow(() -> new InvalidRecord("Avro schema " + id + " is not in the registry, or is not a record schema"));
  }

  private Optional<Reading> registered(int id) {
    String schema = layout.registry().schema(id);
    try {
      return schema == null ? Optional.empty() : Optional.of(reading(schema));
    } catch (AvroRuntimeException | StackOverflowError e) {
      return Optional.empty();
    }
  }

  private Reading reading(String text) {
    Schema schema = new Schema.Parser().parse(text);
    int[] columns = schema.getFields().stream().mapToInt(field -> names.indexOf(field.name())).toArray();
    return new Reading(schema, columns, new BoundedReader(schema));
  }
}
