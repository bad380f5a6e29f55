package io.rowtime.state.values;

import java.util.Arrays;

/** Writes bytes, with a variable-length encoding of numbers that is short for small ones. */
public final class Output {
  private byte[] bytes = new byte[256];
  private int size;

  public void number(long value) {
    long zigzag = value << 1 ^ value >> 63;
    room(10);
    while ((zigzag & ~0x7FL) != 0) {
      bytes[size++] = (byte) (zigzag & 0x7F | 0x80);
      zigzag >>>= 7;
    }
    bytes[size++] = (byte) zigzag;
  }

  public void fixedLong(long value) {
    room(8);
    for (int shift = 56; shift >= 0; shift -= 8) {
      bytes[size++] = (byte) (value >> shift);
    }
  }

  public void flag(boolean value) {
    room(1);
    bytes[size++] = (byte) (value ? 1 : 0);
  }

  public void bytes(byte[] value) {
    bytes(value, 0, value.length);
  }

  public void bytes(byte[] from, int offset, int length) {
    number(length);
    append(from, offset, length);
  }

  /** Writes bytes without their number. */
  public void append(byte[] from, int offset, int length) {
    room(length);
    System.arraycopy(from, offset, bytes, size, length);
    size += length;
  }

  public void appendTo(Output to) {
    to.append(bytes, 0, size);
  }

  public int size() {
    return size;
  }

  public byte[] toBytes() {
    return Arrays.copyOf(bytes, size);
  }

  private void room(int more) {
    if (size + more > bytes.length) {
      bytes = Arrays.copyOf(bytes, Math.max(size + more, bytes.length * 2));
    }
  }
}
