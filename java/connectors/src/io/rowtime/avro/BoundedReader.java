package io.rowtime.avro;

import io.rowtime.limits.Limits;
import java.io.IOException;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericDatumReader;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.io.ResolvingDecoder;

/** Reads records of a schema, which may be recursive, nested at most {@link Limits#DEPTH} deep. */
public final class BoundedReader extends GenericDatumReader<GenericRecord> {
  private int depth;

  public BoundedReader(Schema schema) {
    super(schema, schema, new GenericData());
    // Avro's fast reader would bypass the methods below.
    getData().setFastReaderEnabled(false);
  }

  @Override public GenericRecord read(GenericRecord reuse, org.apache.avro.io.Decoder in) throws IOException {
    depth = 0;
    return super.read(reuse, in);
  }

  @Override protected Object readRecord(Object old, Schema expected, ResolvingDecoder in) throws IOException {
    enter();
    Object found = super.readRecord(old, expected, in);
    depth--;
    return found;
  }

  @Override protected Object readArray(Object old, Schema expected, ResolvingDecoder in) throws IOException {
    enter();
    Object found = super.readArray(old, expected, in);
    depth--;
    return found;
  }

  @Override protected Object readMap(Object old, Schema expected, ResolvingDecoder in) throws IOException {
    enter();
    Object found = super.readMap(old, expected, in);
    depth--;
    return found;
  }

  private void enter() {
    if (++depth > Limits.DEPTH) {
      throw new InvalidAvro("nested deeper than " + Limits.DEPTH + " levels");
    }
  }
}
