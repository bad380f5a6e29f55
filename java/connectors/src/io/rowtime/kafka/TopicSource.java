package io.rowtime.kafka;

import io.rowtime.spark.MicroBatchSource;
import java.util.Map;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.connector.catalog.SupportsRead;
import org.apache.spark.sql.connector.catalog.TableProvider;
import org.apache.spark.sql.connector.expressions.Transform;
import org.apache.spark.sql.connector.read.streaming.MicroBatchStream;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;
import org.apache.spark.util.Utils;

/**
 * Spark's Kafka source, of which all scans in a query read up to the same offsets: the data source
 * {@code io.rowtime.kafka.TopicSource}. Its options are those of Spark's, and optionally {@code until}: the end of each
 * partition, as JSON {@code {"0":17}}; a partition that is not named is not read. Its offsets are those of Spark's, so a
 * checkpoint can continue with either.
 */
public final class TopicSource extends MicroBatchSource {
  private static final String PROVIDER = "org.apache.spark.sql.kafka010.KafkaSourceProvider";

  public TopicSource() {
    super("topic");
  }

  @Override public StructType inferSchema(CaseInsensitiveStringMap options) {
    return provider().inferSchema(options);
  }

  @Override protected MicroBatchStream stream(CaseInsensitiveStringMap options) {
    throw new UnsupportedOperationException("It needs a checkpoint");
  }

  @Override protected MicroBatchStream stream(CaseInsensitiveStringMap options, String checkpoint) {
    Map<String, String> given = options.asCaseSensitiveMap();
    SupportsRead topic = (SupportsRead) provider().getTable(inferSchema(options), new Transform[0], given);
    SparkSession spark = SparkSession.active();
    String name = options.get("kafka.bootstrap.servers") + " " + options.get("subscribe");
    return new TopicStream(options.get("subscribe"), topic.newScanBuilder(options).build().toMicroBatchStream(checkpoint), options.get("until"), checkpoint,
        () -> TopicEnds.of(spark, name));
  }

  private static TableProvider provider() {
    try {
      return (TableProvider) Utils.classForName(PROVIDER, true, false).getDeclaredConstructor().newInstance();
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("Spark's Kafka connector cannot be loaded", e);
    }
  }
}
