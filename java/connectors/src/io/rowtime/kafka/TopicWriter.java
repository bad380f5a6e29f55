package io.rowtime.kafka;

import io.rowtime.spark.RecordedBatch;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListConsumerGroupOffsetsOptions;
import org.apache.kafka.clients.consumer.ConsumerGroupMetadata;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;

/**
 * Writes the rows of a micro-batch to a topic in one transaction, each batch of a writer exactly once.
 *
 * <p>Kafka stores the number of the writer's last batch, as the offset of a consumer group with the writer's name, and
 * what that batch was made of, as the metadata of the offset, in the same transaction as the rows: either both are written, or neither. Kafka deletes it if the writer has been
 * inactive for as long as the broker keeps offsets (7 days by default).
 */
public final class TopicWriter {
  private static final String NAME = "rowtime-";

  private TopicWriter() {}

  /**
   * @param rows key and value (BINARY), the names of the headers (ARRAY of STRING), their values (ARRAY of BINARY), and
   *     the record's time in milliseconds (BIGINT); all but the value may be NULL
   * @param client settings of the Kafka client
   * @param writer the name of the writer, or null if the rows are not a micro-batch
   * @param batch the number of the batch
   * @param content what the batch is made of; -1 if unknown
   * @return the number of rows written, or an answer of {@link RecordedBatch}
   */
  public static long write(Dataset<Row> rows, Map<String, String> client, String topic, String writer, long batch,
      long content) throws InterruptedException {
    Properties properties = new Properties();
    properties.put("transaction.timeout.ms", "600000");
    properties.putAll(client);
    String name = NAME + (writer == null ? UUID.randomUUID() : writer);
    properties.put("transactional.id", name);
    try (Producer<byte[], byte[]> producer =
        new KafkaProducer<>(properties, new ByteArraySerializer(), new ByteArraySerializer())) {
      // Aborts a transaction that an earlier process of this writer has left open, and fences that process off.
      producer.initTransactions();
      TopicPartition place = new TopicPartition(topic, 0);
      RecordedBatch last = writer == null ? null : recorded(client, name, place);
      if (last != null && last.number() >= batch) {
        return last.answer(batch, content);
      }
      producer.beginTransaction();
      try {
        long count = send(rows, producer, topic);
        if (writer != null) {
          producer.sendOffsetsToTransaction(Map.of(place, new OffsetAndMetadata(batch + 1, Long.toString(content))),
              new ConsumerGroupMetadata(name));
        }
        producer.commitTransaction();
        return count;
      } catch (Exception e) {
        // Spark throws undeclared checked exceptions. An open transaction would prevent the producer from closing, and
        // block readers.
        abort(producer);
        throw e;
      }
    }
  }

  // The callback receives errors.
  @SuppressWarnings("FutureReturnValueIgnored")
  private static long send(Dataset<Row> rows, Producer<byte[], byte[]> producer, String topic) {
    AtomicReference<Exception> failure = new AtomicReference<>();
    long count = 0;
    for (Iterator<Row> each = rows.toLocalIterator(); each.hasNext(); count++) {
      producer.send(record(each.next(), topic), (sent, fault) -> {
        if (fault != null) {
          failure.compareAndSet(null, fault);
        }
      });
    }
    producer.flush();
    if (failure.get() != null) {
      throw failure.get() instanceof RuntimeException cause ? cause : new IllegalStateException(failure.get());
    }
    return count;
  }

  private static ProducerRecord<byte[], byte[]> record(Row row, String topic) {
    Headers headers = new RecordHeaders();
    if (!row.isNullAt(2)) {
      List<String> names = row.getList(2);
      List<byte[]> values = row.getList(3);
      for (int i = 0; i < names.size(); i++) {
        headers.add(names.get(i), values.get(i));
      }
    }
    Long time = row.isNullAt(4) ? null : row.getLong(4);
    return new ProducerRecord<>(topic, null, time, row.getAs(0), row.getAs(1), headers);
  }

  /**
   * Returns the last batch of a writer and its content, -1 if unknown; null if Kafka has none, or has forgotten it.
   */
  public static long[] lastBatch(Map<String, String> client, String topic, String writer) throws InterruptedException {
    RecordedBatch found = recorded(client, NAME + writer, new TopicPartition(topic, 0));
    return found == null ? null : new long[] {found.number(), found.content()};
  }

  private static RecordedBatch recorded(Map<String, String> client, String group, TopicPartition place)
      throws InterruptedException {
    Properties properties = new Properties();
    properties.putAll(client);
    try (Admin admin = Admin.create(properties)) {
      ListConsumerGroupOffsetsOptions settled = new ListConsumerGroupOffsetsOptions().requireStable(true);
      OffsetAndMetadata found =
          Topics.get(admin.listConsumerGroupOffsets(group, settled).partitionsToOffsetAndMetadata()).get(place);
      if (found == null) {
        return null;
      }
      // Earlier builds stored no metadata.
      String content = found.metadata();
      return new RecordedBatch(found.offset() - 1,
          content == null || content.isEmpty() ? RecordedBatch.UNKNOWN : Long.parseLong(content));
    }
  }

  private static void abort(Producer<byte[], byte[]> producer) {
    try {
      producer.abortTransaction();
    } catch (RuntimeException e) {
      // The broker aborts the transaction when the next producer of this name starts; the first error is the one to
      // report.
    }
  }
}
