package adapters;

import io.rowtime.api.AdapterContext;
import io.rowtime.api.SourceAdapter;
import io.rowtime.api.StreamElement;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Iterator;

/**
 * A source: a text file to which a program appends lines. A line is a row ({@code 2024-05-01T10:10:00Z,north,20.5}) or
 * a bound ({@code bound,2024-05-01T11:00:00Z}). A position is the number of bytes before it.
 * <pre>
 * CREATE FOREIGN STREAM readings (rowtime TIMESTAMP(3) NOT NULL, room VARCHAR(20), celsius DOUBLE)
 *     OPTIONS (connector 'java', class 'adapters.SensorLog', file '/var/log/sensors');
 * </pre>
 */
public final class SensorLog implements SourceAdapter {
  /** The maximum number of bytes that a micro-batch reads. */
  private static final int MAX_BYTES = 1 << 20;

  private Path file;

  @Override public void open(AdapterContext context) {
    file = Path.of(context.option("file"));
  }

  @Override public String initialPosition(boolean earliest) throws IOException {
    return Long.toString(earliest ? 0 : Files.size(file));
  }

  @Override public String latestPosition(String from) throws IOException {
    // A line that is still being written has no line end yet.
    byte[] found = bytes(Long.parseLong(from), MAX_BYTES);
    int end = found.length;
    while (end > 0 && found[end - 1] != '\n') {
      end--;
    }
    if (end == 0 && found.length == MAX_BYTES) {
      throw new IOException("a line has more than " + MAX_BYTES + " bytes");
    }
    return Long.toString(Long.parseLong(from) + end);
  }

  @Override public Iterator<StreamElement> read(String from, String to) throws IOException {
    long start = Long.parseLong(from);
    byte[] found = bytes(start, Math.toIntExact(Long.parseLong(to) - start));
    return new String(found, StandardCharsets.UTF_8).lines().map(SensorLog::element).iterator();
  }

  private static StreamElement element(String line) {
    String[] fields = line.split(",");
    if (fields[0].equals("bound")) {
      return StreamElement.bound(Instant.parse(fields[1]));
    }
    return StreamElement.row(Instant.parse(fields[0]), fields[1], Double.valueOf(fields[2]));
  }

  private byte[] bytes(long start, int most) throws IOException {
    try (RandomAccessFile in = new RandomAccessFile(file.toFile(), "r")) {
      byte[] found = new byte[(int) Math.max(0, Math.min(most, in.length() - start))];
      in.seek(start);
      in.readFully(found);
      return found;
    }
  }
}
