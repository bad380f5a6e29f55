package io.rowtime.kafka;

import java.io.IOException;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.connector.metric.CustomTaskMetric;
import org.apache.spark.sql.connector.read.InputPartition;
import org.apache.spark.sql.connector.read.PartitionReader;
import org.apache.spark.sql.connector.read.PartitionReaderFactory;
import org.apache.spark.sql.connector.read.streaming.PartitionOffset;
import org.apache.spark.sql.connector.read.streaming.SupportsRealTimeRead;

/**
 * Makes the readers of a batch in real-time mode: Spark's own, which also end when the batch is to end early.
 *
 * @param folder the folder of the source, by which {@link RealTimeBatches} knows the query
 */
record RealTimeReaders(PartitionReaderFactory readers, String folder, int batch) implements PartitionReaderFactory {
  private static final long serialVersionUID = 1L;
  /** Milliseconds. A row is read as soon as it is there. */
  private static final long INTERVAL = 100;

  // Spark's real-time mode needs readers that have it.
  @SuppressWarnings("unchecked")
  @Override public PartitionReader<InternalRow> createReader(InputPartition partition) {
    return new Reader((SupportsRealTimeRead<InternalRow>) readers.createReader(partition), folder, batch);
  }

  private static final class Reader implements SupportsRealTimeRead<InternalRow> {
    private final SupportsRealTimeRead<InternalRow> rows;
    private final String folder;
    private final int batch;

    Reader(SupportsRealTimeRead<InternalRow> rows, String folder, int batch) {
      this.rows = rows;
      this.folder = folder;
      this.batch = batch;
    }

    @Override public RecordStatus nextWithTimeout(Long start, Long timeout) throws IOException {
      long end = start + timeout;
      for (long now = start; now < end && !RealTimeBatches.isOver(folder, batch); now = System.currentTimeMillis()) {
        RecordStatus found = rows.nextWithTimeout(now, Math.min(INTERVAL, end - now));
        if (found.hasRecord()) {
          return found;
        }
      }
      return RecordStatus.newStatusWithoutArrivalTime(false);
    }

    @Override public PartitionOffset getOffset() {
      return rows.getOffset();
    }

    @Override public boolean next() throws IOException {
      return rows.next();
    }

    @Override public InternalRow get() {
      return rows.get();
    }

    @Override public CustomTaskMetric[] currentMetricsValues() {
      return rows.currentMetricsValues();
    }

    @Override public void close() throws IOException {
      rows.close();
    }
  }
}
