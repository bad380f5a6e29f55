package io.rowtime.marks;

import io.rowtime.lateness.ClockFolder;
import java.util.concurrent.TimeUnit;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.connector.read.InputPartition;
import org.apache.spark.sql.connector.read.PartitionReader;
import org.apache.spark.sql.connector.read.PartitionReaderFactory;
import org.apache.spark.sql.connector.read.streaming.MicroBatchStream;
import org.apache.spark.sql.connector.read.streaming.Offset;
import org.apache.spark.sql.connector.read.streaming.ReadLimit;
import org.apache.spark.sql.connector.read.streaming.SupportsTriggerAvailableNow;

/** Makes the marks of one scan available to Spark. */
final class MarkStream implements MicroBatchStream, SupportsTriggerAvailableNow {
  /**
   * How often, in milliseconds, the system clock may advance a bound and the folder is checked: each advance is a
   * micro-batch.
   */
  private static final long PACE = 500;

  private final ClockFolder folder;
  private final long timeout;
  private IdleClock idle;
  private MarkOffset latest = MarkOffset.NONE;
  private boolean opened;
  private boolean untilEnd;
  private long looked;

  /** @param timeout in milliseconds, or -1 if the system clock never advances the bound */
  MarkStream(ClockFolder folder, long timeout) {
    this.folder = folder;
    this.timeout = timeout;
  }

  @Override public Offset initialOffset() {
    return MarkOffset.NONE;
  }

  /**
   * Without this, a query that reads the available data would read all of it in one micro-batch, from its other sources
   * too.
   */
  @Override public synchronized void prepareForTriggerAvailableNow() {
    untilEnd = true;
  }

  @Override public Offset latestOffset(Offset start, ReadLimit limit) {
    return latestOffset();
  }

  @Override public synchronized Offset latestOffset() {
    long now = TimeUnit.NANOSECONDS.toMillis(System.nanoTime());
    if (!opened) {
      // Spark first asks when all batches of an earlier run are done.
      opened = true;
      looked = now - PACE;
      ClockFolder.Found found = folder.latest();
      idle = new IdleClock(timeout, now, found.lastRows(), found.bound());
      latest = found.bound() == null ? latest : MarkOffset.at(found.bound());
    } else if (timeout >= 0 && !untilEnd && now - looked >= PACE) {
      looked = now;
      move(now);
    }
    return latest;
  }

  private void move(long now) {
    long rows = folder.lastRows();
    if (idle.isNews(rows)) {
      idle.rowsCame(now, rows, folder.latest().bound());
    }
    Long bound = idle.bound(now, System.currentTimeMillis());
    if (bound != null && (latest.bound() == null || bound > latest.bound())) {
      latest = MarkOffset.at(bound);
    }
  }

  @Override public InputPartition[] planInputPartitions(Offset start, Offset end) {
    Long bound = ((MarkOffset) end).bound();
    return bound == null || end.equals(start) ? new InputPartition[0] : new InputPartition[] {new Mark(bound)};
  }

  @Override public PartitionReaderFactory createReaderFactory() {
    return new Readers();
  }

  @Override public Offset deserializeOffset(String json) {
    return MarkOffset.of(json);
  }

  @Override public void commit(Offset end) {}

  @Override public void stop() {}

  private record Mark(long bound) implements InputPartition {}

  private static final class Readers implements PartitionReaderFactory {
    private static final long serialVersionUID = 1L;

    @Override public PartitionReader<InternalRow> createReader(InputPartition partition) {
      long micros = ((Mark) partition).bound * 1000;
      return new PartitionReader<>() {
        private boolean read;

        @Override public boolean next() {
          boolean first = !read;
          read = true;
          return first;
        }

        @Override public InternalRow get() {
          return new GenericInternalRow(new Object[] {micros});
        }

        @Override public void close() {}
      };
    }
  }
}
