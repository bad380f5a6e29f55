package io.rowtime.records;

import io.rowtime.avro.AvroText;
import io.rowtime.avro.BoundedDecoder;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericDatumReader;
import org.apache.avro.generic.GenericRecord;

/** One Avro record, in Avro's binary form and of one schema. */
final class AvroParser {
  /** A zero, and four bytes for the number of the schema. */
  private static final int FRAME = 5;

  private final Schema schema;
  private final int[] columns;
  private final GenericDatumReader<GenericRecord> reader;
  private final boolean framed;
  private final int schemaId;
  private GenericRecord record;

  AvroParser(Layout layout, FieldNames names) {
    this.schema = new Schema.Parser().parse(layout.schema());
    this.columns = schema.getFields().stream().mapToInt(field -> names.indexOf(field.name())).toArray();
    this.reader = new GenericDatumReader<>(schema, schema, new GenericData());
    this.framed = layout.framing().equals("confluent");
    this.schemaId = layout.schemaId();
  }

  void parse(byte[] bytes, String[] cells) throws BadRecord {
    Arrays.fill(cells, null);
    int from = framed ? frame(bytes) : 0;
    BoundedDecoder decoder = new BoundedDecoder(bytes, from);
    try {
      record = reader.read(record, decoder);
      if (!decoder.isEnd()) {
        throw new BadRecord("broken Avro: bytes after the end of the record");
      }
      List<Schema.Field> fields = schema.getFields();
      for (int i = 0; i < columns.length; i++) {
        if (columns[i] >= 0) {
          cells[columns[i]] = AvroText.of(fields.get(i).schema(), record.get(i));
        }
      }
    } catch (EOFException e) {
      throw new BadRecord("broken Avro: the record is too short");
    } catch (IOException | RuntimeException | StackOverflowError e) {
      // What bytes at random do to a decoder has no one exception.
      record = null;
      throw new BadRecord("broken Avro: " + (e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage()));
    }
  }

  private int frame(byte[] bytes) throws BadRecord {
    if (bytes.length < FRAME || bytes[0] != 0) {
      throw new BadRecord("broken Avro: no Confluent frame");
    }
    int id = ByteBuffer.wrap(bytes, 1, FRAME - 1).getInt();
    if (schemaId >= 0 && id != schemaId) {
      throw new BadRecord("the record is of Avro schema " + id + ", not " + schemaId);
    }
    return FRAME;
  }
}
