package io.rowtime.over;

import io.rowtime.operators.Partitions;
import io.rowtime.operators.Watermark;
import io.rowtime.over.values.Input;
import io.rowtime.over.values.Output;
import java.util.Collections;
import java.util.concurrent.ThreadLocalRandom;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.streaming.ExpiredTimerInfo;
import org.apache.spark.sql.streaming.OutputMode;
import org.apache.spark.sql.streaming.StatefulProcessor;
import org.apache.spark.sql.streaming.TimeMode;
import org.apache.spark.sql.streaming.TimerValues;
import org.apache.spark.sql.types.StructType;
import scala.collection.Iterator;
import scala.jdk.javaapi.CollectionConverters;

/** OVER as Spark runs it: a key is a {@link Bucket} of partition values, one for each shuffle partition. */
final class Over extends StatefulProcessor<Integer, InternalRow, InternalRow> {
  private static final long serialVersionUID = 1L;

  private final String spec;
  private final StructType schema;
  private final StateNames names;

  private transient SparkStates states;

  Over(String spec, StructType schema, StateNames names) {
    this.spec = spec;
    this.schema = schema;
    this.names = names;
  }

  @Override public void init(OutputMode outputMode, TimeMode timeMode) {
    states = new SparkStates(getHandle(), names);
  }

  @Override public Iterator<InternalRow> handleInputRows(Integer key, Iterator<InternalRow> rows, TimerValues times) {
    return process(CollectionConverters.asJava(rows), times, null);
  }

  @Override public Iterator<InternalRow> handleExpiredTimer(Integer key, TimerValues times, ExpiredTimerInfo timer) {
    return process(Collections.emptyIterator(), times, timer.getExpiryTimeInMs());
  }

  /** @param fired the timer that has just fired, or null: Spark takes that one away itself */
  private Iterator<InternalRow> process(java.util.Iterator<InternalRow> rows, TimerValues times, Long fired) {
    states.claim(Partitions.count());
    byte[] saved = states.header();
    Input from = saved == null ? null : new Input(saved);
    Bucket bucket = from == null ? null : Memory.take(new Memory.Name(from.fixed(), from.fixed()));
    long timer = from == null ? Stage.NEVER : from.fixed();
    if (bucket != null) {
      bucket.attach(states);
    } else {
      bucket = new Bucket(new Stages(Spec.parse(spec), schema));
      bucket.open(states, from == null ? null : from.bytes());
    }
    java.util.Iterator<InternalRow> out = bucket.process(rows, Watermark.micros(times));
    timer = setTimer(fired != null && fired == timer ? Stage.NEVER : timer, bucket.due(),
        times.getCurrentWatermarkInMs());
    Memory.Name name = new Memory.Name(ThreadLocalRandom.current().nextLong(), ThreadLocalRandom.current().nextLong());
    Output to = new Output();
    to.fixed(name.high());
    to.fixed(name.low());
    to.fixed(timer);
    to.bytes(bucket.save());
    states.setHeader(to.toBytes());
    Memory.keep(name, bucket);
    return CollectionConverters.asScala(out);
  }

  /**
   * A timer that fires too early does no harm, and costs less than setting another one for each batch. One for a time that is
   * past would be lost: Spark takes a timer away after it has fired, and with it one that was set for the same time.
   */
  private long setTimer(long timer, long due, long watermark) {
    if (due == Stage.NEVER) {
      return timer;
    }
    long millis = Math.max(Watermark.millis(due), watermark + 1);
    if (timer <= millis) {
      return timer;
    }
    if (timer != Stage.NEVER) {
      getHandle().deleteTimer(timer);
    }
    getHandle().registerTimer(millis);
    return millis;
  }
}
