package io.rowtime.avro;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.apache.avro.AvroRuntimeException;
import org.apache.avro.io.BinaryDecoder;
import org.apache.avro.io.Decoder;
import org.apache.avro.io.DecoderFactory;
import org.apache.avro.util.Utf8;

/**
 * Avro's binary decoder over one record. A length that is greater than the record is a fault, and not, as it is for
 * Avro's own, the size of an array to be made before anything is read.
 */
public final class BoundedDecoder extends Decoder {
  private final BinaryDecoder decoder;
  private final int size;

  /** @param from where in {@code bytes} the record begins */
  public BoundedDecoder(byte[] bytes, int from) {
    this.size = bytes.length - from;
    this.decoder = DecoderFactory.get().binaryDecoder(bytes, from, size, null);
  }

  public boolean isEnd() throws IOException {
    return decoder.isEnd();
  }

  private long checked(long length) {
    if (length < 0 || length > size) {
      throw new AvroRuntimeException("a length of " + length + " in a record of " + size + " bytes");
    }
    return length;
  }

  private byte[] bytes() throws IOException {
    byte[] found = new byte[(int) checked(decoder.readLong())];
    decoder.readFixed(found);
    return found;
  }

  @Override public ByteBuffer readBytes(ByteBuffer old) throws IOException {
    return ByteBuffer.wrap(bytes());
  }

  @Override public Utf8 readString(Utf8 old) throws IOException {
    return new Utf8(bytes());
  }

  @Override public String readString() throws IOException {
    return new Utf8(bytes()).toString();
  }

  @Override public long readArrayStart() throws IOException {
    return checked(decoder.readArrayStart());
  }

  @Override public long arrayNext() throws IOException {
    return checked(decoder.arrayNext());
  }

  @Override public long readMapStart() throws IOException {
    return checked(decoder.readMapStart());
  }

  @Override public long mapNext() throws IOException {
    return checked(decoder.mapNext());
  }

  @Override public void readNull() throws IOException {
    decoder.readNull();
  }

  @Override public boolean readBoolean() throws IOException {
    return decoder.readBoolean();
  }

  @Override public int readInt() throws IOException {
    return decoder.readInt();
  }

  @Override public long readLong() throws IOException {
    return decoder.readLong();
  }

  @Override public float readFloat() throws IOException {
    return decoder.readFloat();
  }

  @Override public double readDouble() throws IOException {
    return decoder.readDouble();
  }

  @Override public void readFixed(byte[] bytes, int start, int length) throws IOException {
    decoder.readFixed(bytes, start, length);
  }

  @Override public int readEnum() throws IOException {
    return decoder.readEnum();
  }

  @Override public int readIndex() throws IOException {
    return decoder.readIndex();
  }

  @Override public void skipString() throws IOException {
    decoder.skipString();
  }

  @Override public void skipBytes() throws IOException {
    decoder.skipBytes();
  }

  @Override public void skipFixed(int length) throws IOException {
    decoder.skipFixed(length);
  }

  @Override public long skipArray() throws IOException {
    return decoder.skipArray();
  }

  @Override public long skipMap() throws IOException {
    return decoder.skipMap();
  }
}
