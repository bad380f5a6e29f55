package io.rowtime.kafka;

import com.fasterxml.jackson.databind.JsonNode;
import io.rowtime.spark.Round;
import io.rowtime.spark.SharedByScans;
import org.apache.spark.sql.SparkSession;

/**
 * The offsets up to which all scans of one topic in one query read in a micro-batch. Without them, a record that comes between
 * the questions of two scans would be read by the second one only, and a result of both would be one that the topic has never
 * had.
 */
final class TopicEnds {
  private static final SharedByScans<TopicEnds> KNOWN = new SharedByScans<>(TopicEnds::new);

  private final Round round = new Round();
  private JsonNode ends;

  /** Must be called on the query's thread. */
  static TopicEnds of(SparkSession spark, String topic) {
    return KNOWN.of(spark, topic);
  }

  /**
   * Returns the ends of the partitions for the next micro-batch of a scan, as JSON {@code {"topic":{"0":17}}}.
   *
   * @param found the ends that the scan has just found; null if there are none
   */
  synchronized JsonNode next(Object scan, JsonNode found) {
    if (round.beginsWith(scan)) {
      ends = found;
    }
    return ends;
  }
}
