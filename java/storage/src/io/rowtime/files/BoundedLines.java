package io.rowtime.files;

import io.rowtime.limits.Limits;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;

/**
 * Reads lines of bytes that end with a line feed, a carriage return or both. Only the first {@link Limits#RECORD_BYTES}
 * of a longer line are kept, which limits the memory.
 */
public final class BoundedLines implements Closeable {
  private static final int BUFFER = 1 << 16;

  private final InputStream in;
  private final byte[] buffer = new byte[BUFFER];
  private int at;
  private int filled;
  /** The offset of {@code buffer} in the input. */
  private long origin;
  /** Whether the previous line ended with a carriage return, so that a line feed that follows belongs to it. */
  private boolean afterReturn;
  private byte[] line = new byte[256];
  private int kept;
  private long size;

  /** @param origin the offset of the stream in the whole input */
  public BoundedLines(InputStream in, long origin) {
    this.in = in;
    this.origin = origin;
  }

  /** Returns the offset at which the next line starts. */
  public long position() throws IOException {
    skipFeed();
    return origin + at;
  }

  /** Reads the next line; returns false at the end. Bytes after the last line end are a line if there are any. */
  public boolean next() throws IOException {
    skipFeed();
    kept = 0;
    size = 0;
    if (at == filled && !fill()) {
      return false;
    }
    do {
      int from = at;
      while (at < filled && buffer[at] != '\n' && buffer[at] != '\r') {
        at++;
      }
      keep(from, at - from);
      if (at < filled) {
        afterReturn = buffer[at++] == '\r';
        break;
      }
    } while (fill());
    if (isCut()) {
      kept = Limits.EXCERPT_BYTES;
    }
    return true;
  }

  /** Returns the number of bytes of the line. */
  public long size() {
    return size;
  }

  /** Returns whether {@link #line} is only the beginning of the line. */
  public boolean isCut() {
    return size > Limits.RECORD_BYTES;
  }

  /** Returns the line without its line end. */
  public byte[] line() {
    return Arrays.copyOf(line, kept);
  }

  @Override public void close() throws IOException {
    in.close();
  }

  private void skipFeed() throws IOException {
    if (afterReturn && (at < filled || fill())) {
      if (buffer[at] == '\n') {
        at++;
      }
    }
    afterReturn = false;
  }

  private void keep(int from, int length) {
    size += length;
    if (isCut()) {
      // The rest is only counted, and its buffer is freed.
      if (line.length > Limits.RECORD_BYTES) {
        line = Arrays.copyOf(line, Limits.EXCERPT_BYTES);
      }
      return;
    }
    if (kept + length > line.length) {
      line = Arrays.copyOf(line, Math.max(kept + length, line.length * 2));
    }
    System.arraycopy(buffer, from, line, kept, length);
    kept += length;
  }

  private boolean fill() throws IOException {
    origin += filled;
    at = 0;
    filled = 0;
    int read = in.read(buffer);
    while (read == 0) {
      read = in.read(buffer);
    }
    filled = Math.max(read, 0);
    return read > 0;
  }
}
