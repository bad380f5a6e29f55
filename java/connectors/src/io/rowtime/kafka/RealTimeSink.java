package io.rowtime.kafka;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.connector.catalog.SupportsWrite;
import org.apache.spark.sql.connector.catalog.Table;
import org.apache.spark.sql.connector.catalog.TableCapability;
import org.apache.spark.sql.connector.catalog.TableProvider;
import org.apache.spark.sql.connector.expressions.Transform;
import org.apache.spark.sql.connector.write.DataWriter;
import org.apache.spark.sql.connector.write.LogicalWriteInfo;
import org.apache.spark.sql.connector.write.PhysicalWriteInfo;
import org.apache.spark.sql.connector.write.Write;
import org.apache.spark.sql.connector.write.WriteBuilder;
import org.apache.spark.sql.connector.write.WriterCommitMessage;
import org.apache.spark.sql.connector.write.streaming.StreamingDataWriterFactory;
import org.apache.spark.sql.connector.write.streaming.StreamingWrite;
import org.apache.spark.sql.internal.connector.SupportsStreamingUpdateAsAppend;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;

/**
 * Writes each row to a topic as soon as it comes, at least once: the data sink {@code io.rowtime.kafka.RealTimeSink}. Spark's own has
 * no times of records. Rows have the columns of {@link TopicWriter}. Its options are {@code topic}, and settings of the client that
 * begin with {@code kafka.}.
 */
public final class RealTimeSink implements TableProvider, SupportsWrite {
  private static final String SETTINGS = "kafka.";

  @Override public Table getTable(StructType schema, Transform[] partitioning, Map<String, String> properties) {
    return this;
  }

  @Override public StructType inferSchema(CaseInsensitiveStringMap options) {
    return new StructType();
  }

  @Override public String name() {
    return "topic";
  }

  // Spark calls the newer `columns`, which calls this method.
  @SuppressWarnings("deprecation")
  @Override public StructType schema() {
    return new StructType();
  }

  @Override public Set<TableCapability> capabilities() {
    return Set.of(TableCapability.STREAMING_WRITE, TableCapability.ACCEPT_ANY_SCHEMA);
  }

  @Override public WriteBuilder newWriteBuilder(LogicalWriteInfo info) {
    Map<String, String> client = new HashMap<>();
    info.options().asCaseSensitiveMap().forEach((name, value) -> {
      if (name.startsWith(SETTINGS)) {
        client.put(name.substring(SETTINGS.length()), value);
      }
    });
    return new Builder(new Writers(Map.copyOf(client), info.options().get("topic")));
  }

  /** Rows that Spark calls updates are new rows: nothing above a projection changes an earlier one. */
  private record Builder(Writers writers) implements WriteBuilder, SupportsStreamingUpdateAsAppend {
    @Override public Write build() {
      return new Write() {
        @Override public StreamingWrite toStreaming() {
          return new Batches(writers);
        }
      };
    }
  }

  /** There is nothing to commit: a row is there once the broker has it. */
  private record Batches(Writers writers) implements StreamingWrite {
    @Override public StreamingDataWriterFactory createStreamingWriterFactory(PhysicalWriteInfo info) {
      return writers;
    }

    @Override public boolean useCommitCoordinator() {
      return false;
    }

    @Override public void commit(long batch, WriterCommitMessage[] messages) {}

    @Override public void abort(long batch, WriterCommitMessage[] messages) {}
  }

  private record Writers(Map<String, String> client, String topic) implements StreamingDataWriterFactory {
    private static final long serialVersionUID = 1L;

    @Override public DataWriter<InternalRow> createWriter(int partition, long task, long batch) {
      return new RealTimeWriter(client, topic);
    }
  }
}
