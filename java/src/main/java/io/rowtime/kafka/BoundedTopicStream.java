package io.rowtime.kafka;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.apache.spark.sql.connector.read.InputPartition;
import org.apache.spark.sql.connector.read.PartitionReaderFactory;
import org.apache.spark.sql.connector.read.streaming.MicroBatchStream;
import org.apache.spark.sql.connector.read.streaming.Offset;
import org.apache.spark.sql.connector.read.streaming.ReadLimit;
import org.apache.spark.sql.connector.read.streaming.SupportsAdmissionControl;

/** The stream of a topic, whose micro-batches end at some offsets at the latest. */
final class BoundedTopicStream implements MicroBatchStream, SupportsAdmissionControl {
  private static final ObjectMapper JSON = new ObjectMapper();

  private final MicroBatchStream topic;
  private final JsonNode until;

  /** @param until the end of each partition, as JSON */
  BoundedTopicStream(MicroBatchStream topic, String until) {
    this.topic = topic;
    this.until = read(until);
  }

  @Override public Offset latestOffset(Offset start, ReadLimit limit) {
    Offset latest = ((SupportsAdmissionControl) topic).latestOffset(start, limit);
    if (latest == null) {
      return null;
    }
    return topic.deserializeOffset(bounded(start == null ? "{}" : start.json(), latest.json(), until).toString());
  }

  /**
   * Returns the offsets of a micro-batch that would end at {@code latest}.
   *
   * @param start where it begins, as JSON {@code {"topic":{"0":17}}}
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
    return ((SupportsAdmissionControl) topic).getDefaultReadLimit();
  }

  @Override public InputPartition[] planInputPartitions(Offset start, Offset end) {
    return topic.planInputPartitions(start, end);
  }

  @Override public PartitionReaderFactory createReaderFactory() {
    return topic.createReaderFactory();
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
    topic.stop();
  }

  @Override public String toString() {
    return topic.toString();
  }
}
