package io.rowtime.avro;

import io.rowtime.limits.Texts;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.apache.avro.io.BinaryDecoder;
import org.apache.avro.io.Decoder;
import org.apache.avro.io.DecoderFactory;
import org.apache.avro.util.Utf8;

/**
 * Avro's binary decoder over one record, with limits. A length greater than the record is an error; Avro's own decoder
 * would allocate an array of that size before reading anything. More elements, in all arrays and maps together, than
 * the record has bytes are an error too; of elements without bytes, such as nulls, some thousands are allowed.
 */
public final class BoundedDecoder extends Decoder {
  private final BinaryDecoder decoder;
  private final int size;
  private long elements;

  private static final int EMPTY_ELEMENTS = 100_000;

  /** @param from the offset in {@code bytes} at which the record starts */
  public BoundedDecoder(byte[] bytes, int from) {
    this.size = bytes.length - from;
    this.decoder = DecoderFactory.get().binaryDecoder(bytes, from, size, null);
  }

  public boolean isEnd() throws IOException {
    return decoder.isEnd();
  }

  private long checkLength(long length) {
    if (length < 0 || length > size) {
      throw new InvalidAvro("a length of " + length + " in a record of " + size + " bytes");
    }
    return length;
  }

  private long countElements(long block) {
    if (block < 0 || block > Math.max(size, EMPTY_ELEMENTS) || (elements += block) > Math.max(size, EMPTY_ELEMENTS)) {
      throw new InvalidAvro("a block of " + block + " elements in a record of " + size + " bytes");
    }
    return block;
  }

  private byte[] text() throws IOException {
    byte[] found = bytes();
    int place = Texts.firstNoUtf8(found);
    if (place >= 0) {
      throw new InvalidAvro("text that is not UTF-8 (byte " + (place + 1) + " of it)");
    }
    return found;
  }

  private byte[] bytes() throws IOException {
    byte[] found = new byte[(int) checkLength(decoder.readLong())];
    decoder.readFixed(found);
    return found;
  }

  @Override public ByteBuffer readBytes(ByteBuffer old) throws IOException {
    return ByteBuffer.wrap(bytes());
  }

  @Override public Utf8 readString(Utf8 old) throws IOException {
    return new Utf8(text());
  }

  @Override public String readString() throws IOException {
    return new String(text(), StandardCharsets.UTF_8);
  }

  @Override public long readArrayStart() throws IOException {
    return countElements(decoder.readArrayStart());
  }

  @Override public long arrayNext() throws IOException {
    return countElements(decoder.arrayNext());
  }

  @Override public long readMapStart() throws IOException {
    return countElements(decoder.readMapStart());
  }

  @Override public long mapNext() throws IOException {
    return countElements(decoder.mapNext());
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
