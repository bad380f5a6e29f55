package io.rowtime.operator.join;

import io.rowtime.operator.spec.BoundClock;
import io.rowtime.operator.spec.IntervalJoinSpec;
import io.rowtime.state.DelayedRows;
import io.rowtime.state.States;
import io.rowtime.state.NaturalMergeSort;
import io.rowtime.state.TaskOperator;
import io.rowtime.state.values.Input;
import io.rowtime.state.values.KeySlots;
import io.rowtime.state.values.Output;
import java.util.Arrays;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.catalyst.expressions.codegen.UnsafeRowWriter;

/** One input of a join: sorts its rows by time, and tracks its own bound. */
final class JoinInput {
  /**
   * The columns of rows that are shuffled to a join. A row without {@link #ROW} contains the bound of its input in
   * {@link #TIME}.
   */
  static final int INPUT = 0;
  static final int TIME = 1;
  static final int KEY = 2;
  static final int ROW = 3;
  /** The column by which rows are shuffled. */
  static final int PARTITION = 4;
  static final int COLUMNS = 5;

  private static final long MILLI = 1000;

  final JoinRows rows;
  final boolean outer;

  private final boolean once;
  private final String name;
  private final JoinLog log;
  private final PresenceInterval presence;
  /** The number of later rows after which a row ends; 0 if it ends by its time. */
  private final int laterRows;
  private final KeySlots keys;
  private final SlotCounter counter;
  private final BoundClock clock;
  private final Long disorder;
  private final boolean byWatermark;
  /** Null if duplicates count. */
  private final DistinctRows distinct;
  private final DelayedRows delayed = new DelayedRows();
  /** The least time of later rows, as rows and bounds of the input have proved; initially the least of all times. */
  private long proved = Long.MIN_VALUE;
  private long bound = Long.MIN_VALUE;

  /** The rows of this batch, in arrival order: their times and slots, and where they are stored. */
  private long[] times = new long[64];
  private int[] slots = new int[64];
  private long[] addresses = new long[64];
  private int[] sizes = new int[64];
  private int count;
  /** A row that has to wait, as it arrived. */
  private final UnsafeRowWriter waiting = new UnsafeRowWriter(COLUMNS, 256);
  private long newest = Long.MIN_VALUE;
  /** Rows before this one are not joined with any later row of the other input. */
  private long firstToMatch;

  /**
   * @param outer whether rows without a match are emitted
   * @param once whether each row needs one match only
   */
  JoinInput(String name, IntervalJoinSpec.Side spec, boolean ordered, boolean outer, boolean once, KeySlots keys,
      SlotCounter counter) {
    this.name = name;
    this.rows = new JoinRows(spec.columns().size());
    this.log = new JoinLog(rows, keys, outer || once);
    this.once = once;
    this.presence = new PresenceInterval(spec.from(), spec.rows() == null ? spec.to() : 0, spec.window());
    this.laterRows = spec.rows() == null ? 0 : spec.rows();
    this.clock = spec.boundClock();
    this.disorder = spec.arrivals().of(ordered).maxDisorder();
    this.byWatermark = ordered || disorder == null;
    this.distinct = spec.distinct() ? new DistinctRows() : null;
    this.outer = outer;
    this.keys = keys;
    this.counter = counter;
  }

  private boolean inOrder() {
    return disorder != null && disorder == 0;
  }

  void declare(States states) {
    states.blocks(name + ".rows");
    states.blocks(name + ".matches");
    states.blocks(name + ".delayed");
  }

  void open(States states, Input saved) {
    log.attach(states.blocks(name + ".rows"), states.blocks(name + ".matches"));
    if (saved != null) {
      proved = saved.fixedLong();
      log.load(saved, counter);
    }
    delayed.open(states.blocks(name + ".delayed"), saved);
    if (distinct != null && saved != null) {
      UnsafeRow view = rows.view();
      for (long row = rows.first(); row < rows.end(); row++) {
        rows.get(row, view);
        distinct.add(rows.time(row), view.getBaseObject(), view.getBaseOffset(), view.getSizeInBytes());
      }
      delayed.forEach(run -> isFirst(run.row(COLUMNS)));
    }
  }

  void attach(States states) {
    log.attach(states.blocks(name + ".rows"), states.blocks(name + ".matches"));
    delayed.attach(states.blocks(name + ".delayed"));
  }

  void save(Output to) {
    to.fixedLong(proved);
    log.save(to);
    delayed.save(to);
  }

  /** Adds a row of this batch, with the columns {@link #COLUMNS}. */
  void take(UnsafeRow row) {
    if (row.isNullAt(ROW)) {
      proved = Math.max(proved, clock.at(row.getLong(TIME)));
      return;
    }
    newest = Math.max(newest, row.getLong(TIME));
    if (distinct != null && !isFirst(row)) {
      return;
    }
    collect(row);
  }

  private boolean isFirst(UnsafeRow row) {
    long place = row.getLong(ROW);
    return distinct.add(row.getLong(TIME), row.getBaseObject(), row.getBaseOffset() + (place >> 32), (int) place);
  }

  private void collect(UnsafeRow row) {
    if (count == times.length) {
      times = Arrays.copyOf(times, count * 2);
      slots = Arrays.copyOf(slots, count * 2);
      addresses = Arrays.copyOf(addresses, count * 2);
      sizes = Arrays.copyOf(sizes, count * 2);
    }
    long place = row.getLong(ROW);
    times[count] = row.getLong(TIME);
    slots[count] = slot(row);
    sizes[count] = (int) place;
    addresses[count++] = rows.store(row.getBaseObject(), row.getBaseOffset() + (place >> 32), (int) place);
  }

  private int slot(UnsafeRow row) {
    int slot = slot(row, keys);
    if (slot != JoinRows.NO_KEY) {
      counter.increment(slot);
    }
    return slot;
  }

  /** Returns the slot of the key of a row with the columns {@link #COLUMNS}. */
  static int slot(UnsafeRow row, KeySlots keys) {
    if (row.isNullAt(KEY)) {
      return JoinRows.NO_KEY;
    }
    long place = row.getLong(KEY);
    return keys.slot(row.getBaseObject(), row.getBaseOffset() + (place >> 32), (int) place);
  }

  /** Ends the batch: sorts the rows before which no other row can arrive any more. */
  void settle(long watermark) {
    if (!byWatermark && newest != Long.MIN_VALUE) {
      proved = Math.max(proved, newest - disorder);
    }
    newest = Long.MIN_VALUE;
    bound = Math.max(clock.at(watermark), proved);
    if (distinct != null) {
      distinct.forget(bound);
    }
    int[] ready = ready();
    for (int place : NaturalMergeSort.sort(ready.length, (left, right) -> times[ready[left]] < times[ready[right]])) {
      int row = ready[place];
      rows.append(times[row], slots[row], addresses[row], sizes[row]);
    }
    count = 0;
  }

  /** Returns the rows that can be processed now, in arrival order; the others of this batch wait in state. */
  private int[] ready() {
    int arrived = count;
    if (!inOrder()) {
      delayed.release(bound, run -> collect(run.row(COLUMNS)));
    }
    int[] ready = new int[count];
    int found = 0;
    for (int row = arrived; row < count; row++) {
      ready[found++] = row;
    }
    for (int row = 0; row < arrived; row++) {
      if (inOrder() || times[row] <= bound) {
        ready[found++] = row;
      } else {
        delay(row);
      }
    }
    if (!inOrder()) {
      delayed.flush();
    }
    return found == ready.length ? ready : Arrays.copyOf(ready, found);
  }

  private void delay(int row) {
    waiting.reset();
    waiting.zeroOutNullBytes();
    waiting.setNullAt(INPUT);
    waiting.setNullAt(PARTITION);
    waiting.write(TIME, times[row]);
    if (slots[row] == JoinRows.NO_KEY) {
      waiting.setNullAt(KEY);
    } else {
      waiting.write(KEY, keys.key(slots[row]));
    }
    rows.write(addresses[row], sizes[row], waiting, ROW);
    delayed.add(times[row], waiting.getRow());
    counter.decrement(slots[row]);
  }

  /** Returns the earliest base time of later rows. */
  long begins() {
    return bound == Long.MAX_VALUE ? bound : presence.begin(bound);
  }

  /**
   * Returns the base time up to which it is certain which rows are present when: no later row is present earlier, or
   * ends a row that is.
   */
  long reach() {
    return bound == Long.MAX_VALUE ? bound : begins() - (laterRows > 0 ? MILLI : 0);
  }

  /**
   * Returns the earliest ROWTIME of a result row that a future row of this input can produce: it is joined with rows of
   * the other input that are present, or also still to arrive; in an outer join it may have no match.
   */
  long firstResult(JoinInput other) {
    long begins = begins();
    long met = Math.max(begins, Math.min(other.firstEntry(begins), other.begins()));
    return outer && bound != Long.MAX_VALUE ? Math.min(met, Math.max(begins, presence.end(bound))) : met;
  }

  boolean isByRows() {
    return laterRows > 0;
  }

  /** Returns whether another row that has yet to enter or to arrive can affect this one. */
  boolean canMatch(long row) {
    return rows.slot(row) != JoinRows.NO_KEY && !(once && rows.isMatched(row));
  }

  /**
   * Returns whether the next row to end may do so as far as its own input is concerned: while a duplicate can arrive,
   * the row must be kept.
   */
  boolean mayEnd() {
    return distinct == null || bound > rows.time(rows.first());
  }

  /** Returns the least watermark at which {@link #mayEnd} is true. */
  long mayEndAt() {
    return distinct == null ? Long.MIN_VALUE : clock.reaches(rows.time(rows.first()) + MILLI);
  }

  /** Returns whether rows are present before their own time. */
  boolean looksAhead() {
    return presence.looksAhead();
  }

  /** Returns when a row starts being present. */
  long entry(long row) {
    return presence.begin(rows.time(row));
  }

  /** Returns until when a row is present, or {@link TaskOperator#NEVER} if that is not known yet. */
  long end(long row) {
    if (laterRows == 0) {
      return presence.end(rows.time(row));
    }
    return row + laterRows < rows.end() ? rows.time(row + laterRows) - MILLI : TaskOperator.NEVER;
  }

  /**
   * Returns the ROWTIME of a row that has ended at {@code end} without a match: in a window of ROWS, the time of the
   * row that replaced it.
   */
  long lastTime(long end) {
    return laterRows == 0 ? end : end + MILLI;
  }

  /**
   * Returns when the first row enters that is present at {@code time} or later and can have a match; or {@link
   * TaskOperator#NEVER}. The time must never go back.
   */
  private long firstEntry(long time) {
    firstToMatch = Math.max(firstToMatch, rows.first());
    while (firstToMatch < rows.end() && (end(firstToMatch) < time || !canMatch(firstToMatch))) {
      firstToMatch++;
    }
    return firstToMatch < rows.end() ? entry(firstToMatch) : TaskOperator.NEVER;
  }

  /** Returns when the next row enters, or {@link TaskOperator#NEVER}. */
  long nextEntry() {
    return rows.nextToEnter() < rows.end() ? entry(rows.nextToEnter()) : TaskOperator.NEVER;
  }

  /** Returns when the next row ends, or {@link TaskOperator#NEVER}. */
  long nextEnd() {
    return rows.first() < rows.end() ? end(rows.first()) : TaskOperator.NEVER;
  }

  /** Returns the ROWTIME with which the next row is emitted without a match, or {@link TaskOperator#NEVER}. */
  long nextLastTime() {
    long end = nextEnd();
    return end == TaskOperator.NEVER ? end : lastTime(end);
  }

  /** Ends the next row; returns its number. */
  long endFirst() {
    long row = rows.endFirst();
    counter.decrement(rows.slot(row));
    return row;
  }

  /** Records a match of a row; returns whether it is the first one. */
  boolean match(long row) {
    boolean first = rows.match(row);
    if (first) {
      log.recordMatch(row);
    }
    return first;
  }

  /** Writes changes to the state; rows that have ended can be read until {@link #trim}. */
  void finish() {
    log.finish();
  }

  void trim() {
    rows.trim();
  }

  /** Returns the least watermark at which {@link #reach} is {@code time}. */
  long reaches(long time) {
    return clock.reaches(presence.reaches(time) + (laterRows > 0 ? MILLI : 0));
  }

  /**
   * Returns the least watermark at which later rows are only present after {@code time}. Base times are whole
   * milliseconds.
   */
  long passes(long time) {
    return clock.reaches(presence.reaches(time + MILLI));
  }

  /** Returns when a waiting row is due, in microseconds of the watermark. */
  long due() {
    return delayed.due() == TaskOperator.NEVER ? TaskOperator.NEVER : clock.reaches(delayed.due());
  }
}
