package io.rowtime.files;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;

/** Builds JSON objects, one per line. Nothing is allocated until the first one; usually there are none. */
public final class JsonLines {
  private static final JsonFactory FACTORY = new JsonFactory();

  private ByteArrayOutputStream bytes;
  private JsonGenerator json;
  private int count;

  /** Writes the fields of an object that has been opened. */
  public interface Fields {
    void write(JsonGenerator json) throws IOException;
  }

  public int count() {
    return count;
  }

  public void add(Fields fields) {
    try {
      if (json == null) {
        bytes = new ByteArrayOutputStream();
        json = FACTORY.createGenerator(bytes);
        json.setRootValueSeparator(null);
      }
      json.writeStartObject();
      fields.write(json);
      json.writeEndObject();
      json.writeRaw('\n');
      count++;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns all lines so far, in UTF-8. */
  public byte[] toBytes() {
    if (json == null) {
      return new byte[0];
    }
    try {
      json.flush();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }
}
