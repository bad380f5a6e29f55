package io.rowtime.kafka;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.HashMap;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.TopicPartitionInfo;

/** What is known of topics, for Python to ask. */
public final class Topics {
  private Topics() {}

  /**
   * Where each partition of a topic ends, as Spark takes it for {@code startingOffsets}: {@code {"t":{"0":17}}}.
   *
   * @param client settings of the Kafka client
   */
  public static String end(Map<String, String> client, String topic) throws InterruptedException {
    Properties properties = new Properties();
    properties.putAll(client);
    try (Admin admin = Admin.create(properties)) {
      Map<TopicPartition, OffsetSpec> wanted = new HashMap<>();
      for (TopicPartitionInfo info : get(admin.describeTopics(java.util.List.of(topic)).allTopicNames()).get(topic)
          .partitions()) {
        wanted.put(new TopicPartition(topic, info.partition()), OffsetSpec.latest());
      }
      ObjectNode json = new ObjectMapper().createObjectNode();
      ObjectNode partitions = json.putObject(topic);
      get(admin.listOffsets(wanted).all())
          .forEach((partition, found) -> partitions.put(String.valueOf(partition.partition()), found.offset()));
      return json.toString();
    }
  }

  static <T> T get(org.apache.kafka.common.KafkaFuture<T> future) throws InterruptedException {
    try {
      return future.get();
    } catch (ExecutionException e) {
      throw e.getCause() instanceof RuntimeException cause ? cause : new IllegalStateException(e.getCause());
    }
  }
}
