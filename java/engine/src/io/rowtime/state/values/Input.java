package io.rowtime.state.values;

import java.util.Arrays;

/** Reads data that an {@link Output} has written. */
public final class Input {
  private final byte[] bytes;
  private int at;

  public Input(byte[] bytes) {
    this.bytes = bytes;
  }

  public long number() {
    long zigzag = 0;
    int shift = 0;
    byte part;
    do {
      part = bytes[at++];
      zigzag |= (long) (part & 0x7F) << shift;
      shift += 7;
    } while (part < 0);
    return zigzag >>> 1 ^ -(zigzag & 1);
  }

  public int count() {
    return Math.toIntExact(number());
  }

  public long fixedLong() {
    long value = 0;
    for (int i = 0; i < 8; i++) {
      value = value << 8 | bytes[at++] & 0xFF;
    }
    return value;
  }

  public boolean flag() {
    return bytes[at++] != 0;
  }

  /** Returns whether there is more data. */
  public boolean hasMore() {
    return at < bytes.length;
  }

  /** Returns the place of the next data. */
  public int position() {
    return at;
  }

  public void skip(int length) {
    at += length;
  }

  public byte[] bytes() {
    int length = count();
    at += length;
    return Arrays.copyOfRange(bytes, at - length, at);
  }
}
