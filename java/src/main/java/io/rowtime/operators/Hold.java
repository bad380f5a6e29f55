package io.rowtime.operators;

import io.rowtime.state.Blocks;
import io.rowtime.state.HeldRows;
import io.rowtime.state.RowBuffer;
import io.rowtime.state.Run;
import io.rowtime.state.Watermark;
import java.util.List;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import org.apache.spark.sql.streaming.ExpiredTimerInfo;
import org.apache.spark.sql.streaming.OutputMode;
import org.apache.spark.sql.streaming.StatefulProcessor;
import org.apache.spark.sql.streaming.TTLConfig;
import org.apache.spark.sql.streaming.TimeMode;
import org.apache.spark.sql.streaming.TimerValues;
import org.apache.spark.sql.streaming.ValueState;
import org.apache.spark.sql.types.StructType;
import scala.collection.Iterator;
import scala.jdk.javaapi.CollectionConverters;

/**
 * Keeps each row until the query's watermark reaches the row's release time.
 *
 * <p>Rows leave a key in order of (release, arrival). A row that is due when it comes passes without touching state, and
 * so does a row without a release time. Which key a row has does not matter for what comes out; keys spread the work.
 */
final class Hold extends StatefulProcessor<Integer, InternalRow, InternalRow> {
  private static final long serialVersionUID = 1L;

  private final StructType schema;
  private final int release;

  private transient ValueState<byte[]> directory;
  private transient Blocks blocks;
  private transient UnsafeProjection binary;

  /** @param release index of the release column, a timestamp */
  Hold(StructType schema, int release) {
    this.schema = schema;
    this.release = release;
  }

  @Override public void init(OutputMode outputMode, TimeMode timeMode) {
    directory = getHandle().getValueState("directory", Encoders.BINARY(), TTLConfig.NONE());
    blocks = new StateBlocks(getHandle(), "blocks");
    binary = UnsafeProjection.create(schema);
  }

  @Override public Iterator<InternalRow> handleInputRows(Integer key, Iterator<InternalRow> rows, TimerValues times) {
    long clock = Watermark.micros(times);
    HeldRows held = new HeldRows(blocks, directory.get());
    List<Run> out = held.release(clock);
    boolean changed = !out.isEmpty();
    while (rows.hasNext()) {
      RowBuffer buffer = new RowBuffer(held.nextArrival());
      do {
        InternalRow row = rows.next();
        buffer.add(row.isNullAt(release) ? Long.MIN_VALUE : row.getLong(release), binary.apply(row));
      } while (rows.hasNext() && !buffer.isFull());
      Run run = buffer.toRun();
      out.add(run.cut(clock));
      changed |= !run.isEmpty();
      held.add(run, buffer.rows());
    }
    if (changed) {
      held.compact();
      save(held, false);
    }
    return CollectionConverters.asScala(Run.merge(out, schema.length()));
  }

  @Override public Iterator<InternalRow> handleExpiredTimer(Integer key, TimerValues times, ExpiredTimerInfo timer) {
    HeldRows held = new HeldRows(blocks, directory.get());
    List<Run> out = held.release(Watermark.micros(times));
    // Where the rows of this batch came first, they took what was due along, and set another timer.
    save(held, held.timer() == timer.getExpiryTimeInMs());
    return CollectionConverters.asScala(Run.merge(out, schema.length()));
  }

  /** @param fired whether the timer that is set has just fired: Spark takes that one away itself */
  private void save(HeldRows held, boolean fired) {
    long due = held.due();
    long timer = due == HeldRows.NOTHING ? HeldRows.NOTHING : Watermark.millis(due);
    if (timer != held.timer()) {
      if (held.timer() != HeldRows.NOTHING && !fired) {
        getHandle().deleteTimer(held.timer());
      }
      if (timer != HeldRows.NOTHING) {
        getHandle().registerTimer(timer);
      }
      held.setTimer(timer);
    }
    byte[] bytes = held.directory();
    if (bytes == null) {
      directory.clear();
    } else {
      directory.update(bytes);
    }
  }
}
