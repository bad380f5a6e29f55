package io.rowtime.adapter;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.rowtime.api.SourceAdapter;
import org.apache.spark.sql.connector.read.InputPartition;
import org.apache.spark.sql.connector.read.PartitionReaderFactory;
import org.apache.spark.sql.connector.read.streaming.MicroBatchStream;
import org.apache.spark.sql.connector.read.streaming.Offset;
import org.apache.spark.sql.connector.read.streaming.ReadLimit;
import org.apache.spark.sql.connector.read.streaming.SupportsAdmissionControl;

/** Makes an adapter's elements available to Spark; offsets are the adapter's positions. */
final class AdapterStream implements MicroBatchStream, SupportsAdmissionControl {
  private static final ObjectMapper JSON = new ObjectMapper();

  private final AdapterSettings settings;
  private final String beginning;
  private SourceAdapter adapter;

  AdapterStream(AdapterSettings settings, String beginning) {
    this.settings = settings;
    this.beginning = beginning;
  }

  @Override public Offset initialOffset() {
    return new Position(beginning);
  }

  @Override public Offset latestOffset() {
    throw new UnsupportedOperationException("The offset before is needed");
  }

  @Override public synchronized Offset latestOffset(Offset start, ReadLimit limit) {
    String from = ((Position) start).text;
    String latest = Positions.latest(settings, openAdapter(), from);
    return latest.equals(from) ? start : new Position(latest);
  }

  @Override public InputPartition[] planInputPartitions(Offset start, Offset end) {
    String from = ((Position) start).text;
    String to = ((Position) end).text;
    return from.equals(to) ? new InputPartition[0] : new InputPartition[] {new Positions(from, to)};
  }

  @Override public PartitionReaderFactory createReaderFactory() {
    return new AdapterReaders(settings);
  }

  @Override public Offset deserializeOffset(String json) {
    try {
      return new Position(JSON.readValue(json, String.class));
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException("The position of the adapter in the checkpoint is damaged", e);
    }
  }

  @Override public synchronized void commit(Offset end) {
    SourceAdapter open = openAdapter();
    AdapterFault.guard(settings.label(), () -> {
      open.commit(((Position) end).text);
      return null;
    });
  }

  @Override public synchronized void stop() {
    if (adapter != null) {
      SourceAdapter open = adapter;
      adapter = null;
      settings.close(open);
    }
  }

  private SourceAdapter openAdapter() {
    if (adapter == null) {
      adapter = settings.open(SourceAdapter.class);
    }
    return adapter;
  }

  private static final class Position extends Offset {
    private final String text;

    Position(String text) {
      this.text = text;
    }

    @Override public String json() {
      try {
        return JSON.writeValueAsString(text);
      } catch (JsonProcessingException e) {
        throw new IllegalStateException(e);
      }
    }
  }
}
