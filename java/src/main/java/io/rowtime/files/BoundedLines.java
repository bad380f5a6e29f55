package io.rowtime.files;

import io.rowtime.limits.Limits;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;

/**
 * Lines of bytes, which end with a line feed, a carriage return or both. Of a line that is longer than
 * {@link Limits#RECORD_BYTES} only the beginning is kept, so that none takes more memory than that.
 */
public final class BoundedLines implements Closeable {
  private static final int BUFFER = 1 << 16;

  private final InputStream in;
  private final byte[] buffer = new byte[BUFFER];
  private int at;
  private int filled;
  /** Where in the input {@code buffer} begins. */
  private long origin;
  /** The line before ended with a carriage return, and a line feed that follows belongs to it. */
  private boolean afterReturn;
  private byte[] line = new byte[256];
  private int kept;
  private long size;

  /** @param origin where in the whole input the stream stands */
  public BoundedLines(InputStream in, long origin) {
    this.in = in;
    this.origin = origin;
  }

  /** Where the next line begins. */
  public long position() throws IOException {
    skipFeed();
    return origin + at;
  }

  /** Reads the next line; false at the end. What stands behind the last line's end is a line if it is not empty. */
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

  /** How many bytes the line has. */
  public long size() {
    return size;
  }

  /** Whether {@link #line} has only the line's beginning. */
  public boolean isCut() {
    return size > Limits.RECORD_BYTES;
  }

  /** The line without its end. */
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
      // The rest is only counted, and the room that it took goes.
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
