package io.rowtime.socket;

import java.io.IOException;
import java.util.List;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.connector.read.InputPartition;
import org.apache.spark.sql.connector.read.PartitionReader;
import org.apache.spark.sql.connector.read.PartitionReaderFactory;
import org.apache.spark.sql.connector.read.streaming.MicroBatchStream;
import org.apache.spark.sql.connector.read.streaming.Offset;
import org.apache.spark.sql.connector.read.streaming.ReadLimit;
import org.apache.spark.sql.connector.read.streaming.SupportsTriggerAvailableNow;
import org.apache.spark.unsafe.types.UTF8String;

/** Makes the lines of a connection available to Spark; each batch is one partition, so that they stay in order. */
final class LineStream implements MicroBatchStream, SupportsTriggerAvailableNow {
  private final Connection connection;
  private final LineFiles files;
  private final int most;
  private long given;
  private long givenFrom;
  private List<Line> latest = List.of();
  private boolean opened;
  private boolean untilEnd;
  private boolean ended;

  /** @param most the maximum number of lines of a batch */
  LineStream(Connection connection, LineFiles files, int most) {
    this.connection = connection;
    this.files = files;
    this.most = most;
  }

  @Override public Offset initialOffset() {
    return new LineOffset(0);
  }

  /** A query that reads the available data ends with the lines that have arrived when it first checks. */
  @Override public synchronized void prepareForTriggerAvailableNow() {
    untilEnd = true;
  }

  @Override public Offset latestOffset() {
    throw new UnsupportedOperationException("The offset before is needed");
  }

  @Override public synchronized Offset latestOffset(Offset start, ReadLimit limit) {
    long from = ((LineOffset) start).lines;
    if (!opened) {
      // Lines that an earlier run has stored, but Spark has not recorded.
      opened = true;
      given = Math.max(files.end(from), from);
    }
    if (given > from || ended) {
      return new LineOffset(given);
    }
    List<Line> taken = connection.take(most);
    ended = untilEnd;
    if (taken.isEmpty()) {
      return start;
    }
    files.write(from, taken);
    latest = taken;
    givenFrom = from;
    given = from + taken.size();
    return new LineOffset(given);
  }

  @Override public synchronized InputPartition[] planInputPartitions(Offset start, Offset end) {
    long from = ((LineOffset) start).lines;
    long to = ((LineOffset) end).lines;
    if (to <= from) {
      return new InputPartition[0];
    }
    boolean inMemory = from == givenFrom && to == givenFrom + latest.size();
    List<Line> lines = inMemory ? latest : files.read(from, to);
    return new InputPartition[] {new Lines(from, lines.toArray(new Line[0]))};
  }

  @Override public PartitionReaderFactory createReaderFactory() {
    return new Readers();
  }

  @Override public Offset deserializeOffset(String json) {
    return LineOffset.of(json);
  }

  @Override public synchronized void commit(Offset end) {
    files.forget(((LineOffset) end).lines);
  }

  @Override public void stop() {
    connection.close();
  }

  private record Lines(long from, Line[] lines) implements InputPartition {}

  private static final class Readers implements PartitionReaderFactory {
    private static final long serialVersionUID = 1L;

    @Override public PartitionReader<InternalRow> createReader(InputPartition partition) {
      Lines piece = (Lines) partition;
      return new PartitionReader<>() {
        private int at = -1;

        @Override public boolean next() {
          return ++at < piece.lines.length;
        }

        @Override public InternalRow get() {
          Line line = piece.lines[at];
          return new GenericInternalRow(new Object[] {UTF8String.fromBytes(line.bytes()), piece.from + at, line.arrived(),
              line.trouble() == null ? null : UTF8String.fromString(line.trouble())});
        }

        @Override public void close() throws IOException {}
      };
    }
  }
}
