package io.rowtime.kafka;

import static org.junit.Assert.assertEquals;

import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.spark.sql.connector.read.InputPartition;
import org.apache.spark.sql.connector.read.PartitionReaderFactory;
import org.apache.spark.sql.connector.read.streaming.MicroBatchStream;
import org.apache.spark.sql.connector.read.streaming.Offset;
import org.apache.spark.sql.connector.read.streaming.ReadLimit;
import org.apache.spark.sql.connector.read.streaming.ReportsSourceMetrics;
import org.apache.spark.sql.connector.read.streaming.SupportsTriggerAvailableNow;
import org.junit.Test;

/** Scans of one topic in a query end at the same offsets, whatever arrives between the questions for their offsets. */
public class TopicStreamTest {
  /** The ends of the topic's partitions, which all scans of it see. */
  private final Map<String, Long> written = new TreeMap<>(Map.of("0", 5L, "1", 7L));
  private final TopicEnds shared = new TopicEnds();

  @Test public void recordsBetweenTwoQuestionsAreReadByNeither() {
    TopicStream first = scan(Long.MAX_VALUE, null);
    TopicStream second = scan(Long.MAX_VALUE, null);
    Offset begin = ends("0", 0, "1", 0);
    Offset one = next(first, begin);
    written.put("0", 9L);
    written.put("2", 1L);
    Offset two = next(second, begin);
    assertEquals("{\"topic\":{\"0\":5,\"1\":7}}", one.json());
    assertEquals(one.json(), two.json());
    // The next micro-batch has them, and here the other scan is asked first.
    written.put("2", 2L);
    two = next(second, two);
    written.put("1", 100L);
    assertEquals("{\"topic\":{\"0\":9,\"1\":7,\"2\":2}}", two.json());
    assertEquals(two.json(), next(first, one).json());
  }

  @Test public void aScanThatIsAheadStaysThere() {
    TopicStream behind = scan(2, null);
    TopicStream ahead = scan(2, null);
    // A scan with a limit may end before the others; they do not wait for it.
    assertEquals("{\"topic\":{\"0\":2,\"1\":2}}", next(behind, ends("0", 0, "1", 0)).json());
    written.put("0", 9L);
    assertEquals("{\"topic\":{\"0\":5,\"1\":7}}", next(ahead, ends("0", 5, "1", 6)).json());
  }

  @Test public void theEndOfATakeoverHoldsAsWell() {
    TopicStream first = scan(Long.MAX_VALUE, "{\"0\":3,\"1\":100}");
    TopicStream second = scan(Long.MAX_VALUE, "{\"0\":3,\"1\":100}");
    assertEquals("{\"topic\":{\"0\":3,\"1\":7}}", next(first, ends("0", 0, "1", 0)).json());
    written.put("1", 8L);
    assertEquals("{\"topic\":{\"0\":3,\"1\":7}}", next(second, ends("0", 0, "1", 0)).json());
  }

  private TopicStream scan(long most, String until) {
    return new TopicStream("t", new Topic(most), until, "/none", () -> shared);
  }

  private static Offset next(TopicStream scan, Offset start) {
    return scan.latestOffset(start, scan.getDefaultReadLimit());
  }

  private static Ends ends(String first, long end, String second, long other) {
    return new Ends(new TreeMap<>(Map.of(first, end, second, other)));
  }

  /** Offsets as Spark writes them. */
  private static final class Ends extends Offset {
    private final Map<String, Long> of;

    Ends(Map<String, Long> of) {
      this.of = of;
    }

    @Override public String json() {
      StringBuilder text = new StringBuilder();
      of.forEach((partition, end) -> text.append(text.isEmpty() ? "" : ",").append('"').append(partition).append("\":").append(end));
      return "{\"topic\":{" + text + "}}";
    }
  }

  /** A topic as Spark's source has it, which reads at most some records of each partition at once. */
  private final class Topic implements MicroBatchStream, SupportsTriggerAvailableNow, ReportsSourceMetrics {
    private final long most;
    private Map<String, Long> found;

    Topic(long most) {
      this.most = most;
    }

    @Override public Offset latestOffset(Offset start, ReadLimit limit) {
      found = new TreeMap<>(written);
      Map<String, Long> next = new TreeMap<>(found);
      next.replaceAll((partition, end) -> end - begin(start, partition) > most ? begin(start, partition) + most : end);
      return new Ends(next);
    }

    private long begin(Offset start, String partition) {
      return ((Ends) start).of.getOrDefault(partition, 0L);
    }

    @Override public Offset reportLatestOffset() {
      return new Ends(found);
    }

    @Override public Offset deserializeOffset(String json) {
      Map<String, Long> of = new TreeMap<>();
      for (String each : json.replaceAll("[{}\"]", "").replace("topic:", "").split(",")) {
        of.put(each.split(":")[0], Long.valueOf(each.split(":")[1]));
      }
      return new Ends(of);
    }

    @Override public Offset latestOffset() {
      throw new UnsupportedOperationException();
    }

    @Override public InputPartition[] planInputPartitions(Offset start, Offset end) {
      throw new UnsupportedOperationException();
    }

    @Override public PartitionReaderFactory createReaderFactory() {
      throw new UnsupportedOperationException();
    }

    @Override public Offset initialOffset() {
      return new Ends(new TreeMap<>());
    }

    @Override public void prepareForTriggerAvailableNow() {}

    @Override public Map<String, String> metrics(Optional<Offset> latestConsumed) {
      return Map.of();
    }

    @Override public void commit(Offset end) {}

    @Override public void stop() {}
  }
}
