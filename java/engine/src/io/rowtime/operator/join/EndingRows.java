package io.rowtime.operator.join;

import io.rowtime.operator.join.RowBuckets.Bucket;
import io.rowtime.operator.spec.BoundClock;
import io.rowtime.operator.spec.UpdatingJoinSpec;
import io.rowtime.state.States;
import java.util.List;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.unsafe.Platform;

/**
 * Drops the rows of an input of an updating join that no later row of the other input matches: the other input has passed the
 * time at which they end. The results that they are in stay. How far the other input has advanced, the watermark shows, and the rows of
 * the task.
 */
final class EndingRows {
  /** Tells whether a row, in Spark's binary format, has ended. */
  interface RowTest {
    boolean test(byte[] bytes, int offset, int size);
  }

  /** Rows in the state by join key. */
  interface Keyed {
    void removeIf(byte[] key, RowTest ended);
  }

  private final Keyed rows;
  private final EndTimers timers;
  private final UnsafeRow row;
  /** The column with the time at which a row ends, and what is added to it; -1 if rows do not end. */
  private final int column;
  private final long micros;
  private final UnsafeRow other;
  private final int time;
  private final BoundClock clock;
  private final Long disorder;
  /** The ROWTIME of the latest row of the other input. */
  private long newest = Long.MIN_VALUE;
  /** The least ROWTIME of later rows of the other input: rows whose end is before it have ended. */
  private long now = Long.MIN_VALUE;

  /**
   * @param number tells the entries of the state apart from others
   * @param side the input
   * @param rows those of the input in the state
   */
  EndingRows(int number, UpdatingJoinSpec.Side side, UpdatingJoinSpec.Side otherSide, Keyed rows) {
    this.rows = rows;
    timers = new EndTimers(number);
    boolean ending = side.end() != null;
    row = new UnsafeRow(side.columns().size());
    column = ending ? side.columns().indexOf(side.end().column()) : -1;
    micros = ending ? side.end().micros() : 0;
    other = new UnsafeRow(otherSide.columns().size());
    time = ending ? otherSide.columns().indexOf(otherSide.progress().time()) : -1;
    clock = ending ? otherSide.clock() : null;
    disorder = ending ? otherSide.progress().arrivals().of(false).maxDisorder() : null;
  }

  void attach(States.Entries entries) {
    timers.attach(entries);
  }

  void takeOther(byte[] bytes) {
    if (column >= 0) {
      other.pointTo(bytes, bytes.length);
      takeOther(other);
    }
  }

  /** Takes notice of a row of the other input. */
  void takeOther(UnsafeRow row) {
    if (column >= 0) {
      newest = Math.max(newest, row.getLong(time));
    }
  }

  /** Determines which rows end, once all rows of the batch are known. */
  void advance(long watermark) {
    if (column >= 0) {
      // Spark's watermark is 0 before there is one.
      long bound = watermark > 0 ? clock.at(watermark) : Long.MIN_VALUE;
      now = Math.max(now, newest == Long.MIN_VALUE || disorder == null ? bound : Math.max(bound, newest - disorder));
    }
  }

  /**
   * Removes the rows of a key that have ended, and remembers when others do.
   *
   * @param changed those that the batch has changed
   */
  void remove(byte[] key, Bucket bucket, List<KeptRow> changed) {
    if (column < 0) {
      return;
    }
    bucket.removeIf(this::hasEnded);
    for (KeptRow each : changed) {
      if (each.before == 0 && each.count > 0 && !hasEnded(each)) {
        add(key, each.get(row));
      }
    }
  }

  /** Remembers when a row ends that has not ended. */
  void add(byte[] key, UnsafeRow of) {
    if (column >= 0) {
      timers.add(key, end(of), Math.max(now, newest));
    }
  }

  /** Removes the rows of other keys that have ended. */
  void finish() {
    if (column < 0) {
      return;
    }
    timers.removeBefore(now, key -> rows.removeIf(key, this::hasEnded));
    timers.write();
  }

  private boolean hasEnded(KeptRow kept) {
    return hasEnded(kept.get(row));
  }

  private boolean hasEnded(byte[] bytes, int offset, int size) {
    row.pointTo(bytes, Platform.BYTE_ARRAY_OFFSET + (long) offset, size);
    return hasEnded(row);
  }

  boolean hasEnded(UnsafeRow of) {
    // A row without an end matches nothing.
    return column >= 0 && (of.isNullAt(column) || end(of) < now);
  }

  private long end(UnsafeRow of) {
    return of.getLong(column) + micros;
  }
}
