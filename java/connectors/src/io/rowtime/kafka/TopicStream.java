package io.rowtime.kafka;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.apache.kafka.common.KafkaException;
import org.apache.spark.sql.connector.read.InputPartition;
import org.apache.spark.sql.connector.read.PartitionReaderFactory;
import org.apache.spark.sql.connector.read.streaming.MicroBatchStream;
import org.apache.spark.sql.connector.read.streaming.Offset;
import org.apache.spark.sql.connector.read.streaming.PartitionOffset;
import org.apache.spark.sql.connector.read.streaming.ReadLimit;
import org.apache.spark.sql.connector.read.streaming.ReportsSourceMetrics;
import org.apache.spark.sql.connector.read.streaming.SupportsAdmissionControl;
import org.apache.spark.sql.connector.read.streaming.SupportsRealTimeMode;
import org.apache.spark.sql.connector.read.streaming.SupportsTriggerAvailableNow;

/**
 * The stream of a topic, whose micro-batches end where those of the other scans in the query do. In real-time mode, a query has
 * one scan, and {@link RealTimeBatches}.
 */
final class TopicStream implements MicroBatchStream, SupportsTriggerAvailableNow, SupportsRealTimeMode, ReportsSourceMetrics {
  private static final ObjectMapper JSON = new ObjectMapper();

  private final String name;
  private final MicroBatchStream topic;
  private final JsonNode until;
  private final Supplier<TopicEnds> shared;
  private final String folder;
  private TopicEnds ends;
  private RealTimeBatches batches;

  /**
   * @param until the end of each partition, as JSON {@code {"0":17}}; null if there is none
   * @param folder the folder of this source in the checkpoint
   * @param shared returns what all scans of the topic in a query share, once the query runs
   */
  TopicStream(String name, MicroBatchStream topic, String until, String folder, Supplier<TopicEnds> shared) {
    this.name = name;
    this.topic = topic;
    this.folder = folder;
    this.until = until == null ? null : read(until);
    this.shared = shared;
  }

  @Override public Offset latestOffset(Offset start, ReadLimit limit) {
    if (ends == null) {
      ends = shared.get();
    }
    Offset latest = answered(() -> admission().latestOffset(start, limit));
    Offset found = reportLatestOffset();
    JsonNode last = ends.next(this, found == null ? null : read(found.json()));
    if (latest == null) {
      return null;
    }
    String begin = start == null ? "{}" : start.json();
    String end = latest.json();
    if (last != null) {
      end = bounded(begin, end, last.elements().next()).toString();
    }
    if (until != null) {
      end = bounded(begin, end, until).toString();
    }
    return topic.deserializeOffset(end);
  }

  @Override public void prepareForRealTimeMode() {
    realTime().prepareForRealTimeMode();
    batches = RealTimeBatches.open(folder);
  }

  @Override public InputPartition[] planInputPartitions(Offset start) {
    batches.begin();
    InputPartition[] partitions = answered(() -> realTime().planInputPartitions(start));
    batches.take(partitions.length, name);
    return partitions;
  }

  @Override public Offset mergeOffsets(PartitionOffset[] ends) {
    return realTime().mergeOffsets(ends);
  }

  @Override public void prepareForTriggerAvailableNow() {
    ((SupportsTriggerAvailableNow) topic).prepareForTriggerAvailableNow();
  }

  @Override public Offset reportLatestOffset() {
    return answered(admission()::reportLatestOffset);
  }

  @Override public Map<String, String> metrics(Optional<Offset> latestConsumed) {
    // In real-time mode, it asks Kafka.
    return answered(() -> ((ReportsSourceMetrics) topic).metrics(latestConsumed));
  }

  /** Asks Kafka. Spark throws undeclared checked exceptions. */
  private <T> T answered(Supplier<T> question) {
    try {
      return question.get();
    } catch (Exception e) {
      for (Throwable cause = e; cause != null; cause = cause.getCause()) {
        if (cause instanceof KafkaException) {
          throw Topics.unavailable("answer for", name, e);
        }
      }
      throw e;
    }
  }

  private SupportsRealTimeMode realTime() {
    return (SupportsRealTimeMode) topic;
  }

  private SupportsAdmissionControl admission() {
    return (SupportsAdmissionControl) topic;
  }

  /**
   * Returns the offsets of a micro-batch that would end at {@code latest}.
   *
   * @param start where it begins, as JSON {@code {"topic":{"0":17}}}
   * @param until the end of each partition, as JSON {@code {"0":17}}
   */
  static ObjectNode bounded(String start, String latest, JsonNode until) {
    JsonNode begins = read(start);
    ObjectNode ends = JSON.createObjectNode();
    read(latest).properties().forEach(each -> {
      ObjectNode of = ends.putObject(each.getKey());
      each.getValue().properties().forEach(partition -> {
        String number = partition.getKey();
        JsonNode begin = begins.path(each.getKey()).path(number);
        if (until.has(number)) {
          of.put(number, Math.max(begin.asLong(0), Math.min(until.get(number).asLong(), partition.getValue().asLong())));
        } else if (!begin.isMissingNode()) {
          of.put(number, begin.asLong());
        }
      });
    });
    return ends;
  }

  private static JsonNode read(String json) {
    try {
      return JSON.readTree(json);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException("These are no offsets: " + json, e);
    }
  }

  @Override public Offset latestOffset() {
    throw new UnsupportedOperationException("Spark asks for it with the limit of a micro-batch");
  }

  @Override public ReadLimit getDefaultReadLimit() {
    return admission().getDefaultReadLimit();
  }

  @Override public InputPartition[] planInputPartitions(Offset start, Offset end) {
    return topic.planInputPartitions(start, end);
  }

  @Override public PartitionReaderFactory createReaderFactory() {
    PartitionReaderFactory readers = topic.createReaderFactory();
    return batches == null ? readers : new RealTimeReaders(readers, batches.folder(), batches.current());
  }

  @Override public Offset initialOffset() {
    return topic.initialOffset();
  }

  @Override public Offset deserializeOffset(String json) {
    return topic.deserializeOffset(json);
  }

  @Override public void commit(Offset end) {
    topic.commit(end);
  }

  @Override public void stop() {
    if (batches != null) {
      batches.close();
    }
    topic.stop();
  }

  @Override public String toString() {
    return topic.toString();
  }
}
