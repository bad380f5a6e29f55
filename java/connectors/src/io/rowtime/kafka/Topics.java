package io.rowtime.kafka;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListOffsetsOptions;
import org.apache.kafka.clients.admin.ListOffsetsResult.ListOffsetsResultInfo;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.TopicPartitionInfo;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;

/** Answers questions about topics, called from Python. */
public final class Topics {
  private Topics() {}

  /**
   * Returns where a topic begins and ends, and where its records of a time begin: for each partition a list of three
   * offsets, as JSON {@code {"0":[3,17,5]}}. The third is null if there is no record at or after that time. Returns
   * {@code null} if there is no such topic.
   *
   * @param client settings of the Kafka client
   * @param time milliseconds since 1970
   */
  public static String offsets(Map<String, String> client, String topic, long time) throws InterruptedException {
    Properties properties = new Properties();
    properties.putAll(client);
    try (Admin admin = Admin.create(properties)) {
      List<TopicPartitionInfo> partitions;
      try {
        partitions = get(admin.describeTopics(List.of(topic)).allTopicNames()).get(topic).partitions();
      } catch (UnknownTopicOrPartitionException e) {
        return "null";
      }
      ObjectNode json = new ObjectMapper().createObjectNode();
      partitions.forEach(info -> json.putArray(String.valueOf(info.partition())));
      // A topic ends where its first open transaction begins: later records are not committed yet.
      ListOffsetsOptions settled = new ListOffsetsOptions(IsolationLevel.READ_COMMITTED);
      for (OffsetSpec spec : List.of(OffsetSpec.earliest(), OffsetSpec.latest(), OffsetSpec.forTimestamp(time))) {
        Map<TopicPartition, OffsetSpec> wanted = new HashMap<>();
        partitions.forEach(info -> wanted.put(new TopicPartition(topic, info.partition()), spec));
        Map<TopicPartition, ListOffsetsResultInfo> found = get(admin.listOffsets(wanted, settled).all());
        found.forEach((partition, at) -> json.withArray("/" + partition.partition())
            .add(at.offset() < 0 ? null : (Long) at.offset()));
      }
      return json.toString();
    }
  }

  /** Returns the error for a topic that cannot be read or written, in words: {@code does} says what Kafka does not do. */
  static IllegalStateException unavailable(String does, String topic, Throwable fault) {
    Throwable reason = fault;
    while (!(reason instanceof KafkaException) && reason.getCause() != null) {
      reason = reason.getCause();
    }
    return new IllegalStateException("Kafka does not " + does + " the topic '" + topic + "': " + reason.getMessage(), fault);
  }

  static <T> T get(org.apache.kafka.common.KafkaFuture<T> future) throws InterruptedException {
    try {
      return future.get();
    } catch (ExecutionException e) {
      throw e.getCause() instanceof RuntimeException cause ? cause : new IllegalStateException(e.getCause());
    }
  }
}
