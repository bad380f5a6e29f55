package io.rowtime.kafka;

import java.util.Map;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.sql.connector.write.DataWriter;
import org.apache.spark.sql.connector.write.WriterCommitMessage;

/** Writes the rows of a task in real-time mode. Its batch has not been read before the broker has all of them. */
final class RealTimeWriter implements DataWriter<InternalRow> {
  private static final String DOES = "take rows for";

  private final Producer<byte[], byte[]> producer;
  private final Map<String, String> client;
  private final String topic;
  private volatile Exception failure;

  RealTimeWriter(Map<String, String> client, String topic) {
    this.client = client;
    this.topic = topic;
    producer = SharedProducers.take(client);
  }

  // The callback receives errors.
  @SuppressWarnings("FutureReturnValueIgnored")
  @Override public void write(InternalRow row) {
    check();
    try {
      producer.send(record(row), (sent, fault) -> {
        if (fault != null && failure == null) {
          failure = fault;
        }
      });
    } catch (KafkaException e) {
      throw Topics.unavailable(DOES, topic, e);
    }
  }

  private ProducerRecord<byte[], byte[]> record(InternalRow row) {
    Headers headers = new RecordHeaders();
    if (!row.isNullAt(2)) {
      ArrayData names = row.getArray(2);
      ArrayData values = row.getArray(3);
      for (int i = 0; i < names.numElements(); i++) {
        headers.add(names.getUTF8String(i).toString(), values.isNullAt(i) ? null : values.getBinary(i));
      }
    }
    return new ProducerRecord<>(topic, null, row.isNullAt(4) ? null : row.getLong(4), bytes(row, 0), bytes(row, 1), headers);
  }

  private static byte[] bytes(InternalRow row, int column) {
    return row.isNullAt(column) ? null : row.getBinary(column);
  }

  @Override public WriterCommitMessage commit() {
    producer.flush();
    check();
    return new Written();
  }

  private void check() {
    if (failure != null) {
      throw Topics.unavailable(DOES, topic, failure);
    }
  }

  @Override public void abort() {
    // What was sent stays: it is written again.
  }

  @Override public void close() {
    SharedProducers.giveBack(client);
  }

  private record Written() implements WriterCommitMessage {}
}
