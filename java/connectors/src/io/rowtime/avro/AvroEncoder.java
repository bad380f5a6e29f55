package io.rowtime.avro;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.Serializable;
import java.io.UncheckedIOException;
import java.util.HexFormat;
import java.util.Iterator;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.EncoderFactory;
import org.apache.spark.api.java.function.MapPartitionsFunction;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.types.StructType;

/** Encodes the first column of rows, a struct, as a record in Avro's binary format. */
final class AvroEncoder implements MapPartitionsFunction<InternalRow, InternalRow>, Serializable {
  private static final long serialVersionUID = 1L;

  private final String schema;
  private final StructType input;
  private final byte[] prefix;

  AvroEncoder(String schema, StructType input, String prefix) {
    this.schema = schema;
    this.input = input;
    this.prefix = HexFormat.of().parseHex(prefix);
  }

  @Override public Iterator<InternalRow> call(Iterator<InternalRow> rows) {
    Schema record = new Schema.Parser().parse(schema);
    AvroValues values = new AvroValues(record, (StructType) input.apply(0).dataType());
    GenericDatumWriter<Object> writer = new GenericDatumWriter<>(record, new GenericData());
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    return new Iterator<>() {
      private BinaryEncoder encoder;

      @Override public boolean hasNext() {
        return rows.hasNext();
      }

      @Override public InternalRow next() {
        InternalRow row = rows.next();
        Object[] made = new Object[input.length()];
        made[0] = record(row);
        for (int i = 1; i < made.length; i++) {
          made[i] = row.isNullAt(i) ? null : InternalRow.copyValue(row.get(i, input.apply(i).dataType()));
        }
        return new GenericInternalRow(made);
      }

      private byte[] record(InternalRow row) {
        bytes.reset();
        bytes.writeBytes(prefix);
        try {
          encoder = EncoderFactory.get().binaryEncoder(bytes, encoder);
          writer.write(values.record(row.getStruct(0, values.size())), encoder);
          encoder.flush();
        } catch (IOException e) {
          throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
      }
    };
  }
}
