package io.rowtime.state;

import io.rowtime.exchange.BlockRows;
import io.rowtime.exchange.Partitions;
import io.rowtime.state.values.Input;
import io.rowtime.state.values.Output;
import java.util.Collections;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.streaming.ExpiredTimerInfo;
import org.apache.spark.sql.streaming.OutputMode;
import org.apache.spark.sql.streaming.StatefulProcessor;
import org.apache.spark.sql.streaming.TimeMode;
import org.apache.spark.sql.streaming.TimerValues;
import scala.collection.Iterator;
import scala.jdk.javaapi.CollectionConverters;

/** Runs a {@link TaskOperator} in Spark: there is one key, and so one operator, per shuffle partition. */
public final class OperatorProcessor extends StatefulProcessor<Integer, InternalRow, InternalRow> {
  private static final long serialVersionUID = 1L;

  private final TaskOperator.Factory factory;
  private final StateNames names;
  private final int columns;
  /** Made by the driver. All batches of a query have this object. */
  private final UUID query = UUID.randomUUID();

  private transient SparkStates states;

  /** @param columns the number of columns of the operator's rows, which arrive in {@link RowBlocks} */
  public OperatorProcessor(TaskOperator.Factory factory, StateNames names, int columns) {
    this.factory = factory;
    this.names = names;
    this.columns = columns;
  }

  @Override public void init(OutputMode outputMode, TimeMode timeMode) {
    states = InterpretedEncoders.within(() -> new SparkStates(getHandle(), names));
    InterpretedEncoders.openTimers(getHandle());
  }

  @Override public Iterator<InternalRow> handleInputRows(Integer key, Iterator<InternalRow> blocks, TimerValues times) {
    return process(new BlockRows(CollectionConverters.asJava(blocks), columns), times, null);
  }

  @Override public Iterator<InternalRow> handleExpiredTimer(Integer key, TimerValues times, ExpiredTimerInfo timer) {
    return process(Collections.emptyIterator(), times, timer.getExpiryTimeInMs());
  }

  /** @param fired the timer that has just fired, or null: Spark removes that timer itself */
  private Iterator<InternalRow> process(java.util.Iterator<InternalRow> rows, TimerValues times, Long fired) {
    states.claim(Partitions.count());
    byte[] saved = states.header();
    Input from = saved == null ? null : new Input(saved);
    TaskOperator operator = from == null ? null : TaskCache.take(new TaskCache.Name(from.fixedLong(), from.fixedLong(), query));
    long timer = from == null ? TaskOperator.NEVER : from.fixedLong();
    if (operator != null) {
      operator.attach(states);
    } else {
      operator = factory.create();
      operator.open(states, from == null ? null : from.bytes());
    }
    java.util.Iterator<InternalRow> out = operator.process(rows, Watermark.micros(times));
    timer = setTimer(fired != null && fired == timer ? TaskOperator.NEVER : timer, operator.due(),
        times.getCurrentWatermarkInMs());
    TaskCache.Name name =
        new TaskCache.Name(ThreadLocalRandom.current().nextLong(), ThreadLocalRandom.current().nextLong(), query);
    Output to = new Output();
    to.fixedLong(name.high());
    to.fixedLong(name.low());
    to.fixedLong(timer);
    to.bytes(operator.save());
    states.setHeader(to.toBytes());
    TaskCache.keep(name, operator);
    return CollectionConverters.asScala(out);
  }

  /**
   * Sets the next timer if necessary. A timer that fires too early does no harm, and costs less than setting a new one
   * in each batch. A timer for a time in the past would be lost: Spark deletes a timer after it has fired, together
   * with one that was set for the same time.
   */
  private long setTimer(long timer, long due, long watermark) {
    if (due == TaskOperator.NEVER) {
      return timer;
    }
    long millis = Math.max(Watermark.millis(due), watermark + 1);
    if (timer <= millis) {
      return timer;
    }
    if (timer != TaskOperator.NEVER) {
      getHandle().deleteTimer(timer);
    }
    getHandle().registerTimer(millis);
    return millis;
  }
}
