package io.rowtime.operator.join;

import io.rowtime.operator.spec.BoundClock;
import io.rowtime.operator.spec.IntervalJoinSpec;
import io.rowtime.state.DelayedRows;
import io.rowtime.state.States;
import io.rowtime.state.NaturalMergeSort;
import io.rowtime.state.TaskOperator;
import io.rowtime.state.values.Input;
import io.rowtime.state.values.Keys;
import io.rowtime.state.values.Output;
import java.util.Arrays;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.catalyst.expressions.codegen.UnsafeRowWriter;

/** One input of a join: brings its rows into the order of their time, and knows how far it has come. */
final class JoinInput {
  /** The columns of rows on their way to a join. A row without {@link #ROW} tells the bound of its input in {@link #TIME}. */
  static final int INPUT = 0;
  static final int TIME = 1;
  static final int KEY = 2;
  static final int ROW = 3;
  /** The key by which they are grouped. */
  private static final int PARTITION = 4;
  static final int COLUMNS = 5;

  private static final long MILLI = 1000;

  final JoinRows rows;
  final boolean outer;

  private final boolean once;
  private final String name;
  private final JoinLog log;
  private final long from;
  private final long to;
  /** After how many later rows a row ends; 0 where it ends by its time. */
  private final int laterRows;
  private final Keys keys;
  private final SlotCounter counter;
  private final BoundClock clock;
  private final Long disorder;
  private final boolean byWatermark;
  /** Null where equal rows count as often as they come. */
  private final DistinctRows distinct;
  private final DelayedRows delayed = new DelayedRows();
  /** The least time of rows that come later, as rows and bounds of the input have told; or the least of all times. */
  private long proved = Long.MIN_VALUE;
  private long bound = Long.MIN_VALUE;

  /** Rows of this batch, in the order of their arrival: their times and slots, and where they are stored. */
  private long[] times = new long[64];
  private int[] slots = new int[64];
  private long[] addresses = new long[64];
  private int[] sizes = new int[64];
  private int count;
  /** A row that has to wait, as it came. */
  private final UnsafeRowWriter waiting = new UnsafeRowWriter(COLUMNS, 256);
  private long newest = Long.MIN_VALUE;
  /** Rows before this one are not met by any that come later to the other input. */
  private long firstToMeet;

  /**
   * @param outer whether rows that match nothing come out
   * @param once whether rows are asked for one match only
   */
  JoinInput(String name, IntervalJoinSpec.Side spec, boolean ordered, boolean outer, boolean once, Keys keys,
      SlotCounter counter) {
    this.name = name;
    this.rows = new JoinRows(spec.columns().size());
    this.log = new JoinLog(rows, keys, outer || once);
    this.once = once;
    this.from = spec.from();
    this.to = spec.rows() == null ? spec.to() : 0;
    this.laterRows = spec.rows() == null ? 0 : spec.rows();
    this.clock = spec.boundClock();
    this.disorder = spec.disorder();
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
      proved = saved.fixed();
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
    to.fixed(proved);
    log.save(to);
    delayed.save(to);
  }

  /** Takes a row of this batch, as {@link #COLUMNS} say. */
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
    if (row.isNullAt(KEY)) {
      return JoinRows.NO_KEY;
    }
    long place = row.getLong(KEY);
    int slot = keys.slot(row.getBaseObject(), row.getBaseOffset() + (place >> 32), (int) place);
    counter.came(slot);
    return slot;
  }

  /** All rows of the batch have been taken: those before which no other can come any more are put in order. */
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

  /** The rows that take their turns now, in the order of their arrival; the others of this batch wait in state. */
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
    counter.gone(slots[row]);
  }

  /** The earliest base time of rows that come later. */
  long begins() {
    return bound == Long.MAX_VALUE ? bound : bound + from;
  }

  /**
   * Up to which base time it is certain which rows are there when: no row that comes later is there earlier, or ends one that
   * is.
   */
  long reach() {
    return bound == Long.MAX_VALUE ? bound : begins() - (laterRows > 0 ? MILLI : 0);
  }

  /**
   * The earliest ROWTIME of a row of the result that a row to come to this input can bring: it meets the rows of the other
   * input that are there, or that come as well; in an outer join it may meet none.
   */
  long firstResult(JoinInput other) {
    long begins = begins();
    long met = Math.max(begins, Math.min(other.firstEntry(begins), other.begins()));
    return outer && bound != Long.MAX_VALUE ? Math.min(met, Math.max(begins, bound + to)) : met;
  }

  boolean isByRows() {
    return laterRows > 0;
  }

  /** Whether another row that has yet to enter or to come can make a difference to this one. */
  boolean canMeet(long row) {
    return rows.slot(row) != JoinRows.NO_KEY && !(once && rows.isMatched(row));
  }

  /** Whether the next row to end may do so for its own input's sake: while an equal one can come, that one has to be known. */
  boolean mayEnd() {
    return distinct == null || begins() > entry(rows.first());
  }

  /** The least watermark at which {@link #mayEnd}. */
  long mayEndAt() {
    return distinct == null ? Long.MIN_VALUE : passes(entry(rows.first()));
  }

  /** Whether rows are there before their own time. */
  boolean looksAhead() {
    return from < 0;
  }

  /** When a row begins to be there. */
  long entry(long row) {
    return rows.time(row) + from;
  }

  /** Until when a row is there, or {@link TaskOperator#NEVER} if that is open. */
  long end(long row) {
    if (laterRows == 0) {
      return rows.time(row) + to;
    }
    return row + laterRows < rows.end() ? rows.time(row + laterRows) - MILLI : TaskOperator.NEVER;
  }

  /** The ROWTIME of a row that has ended at {@code end} without a match: by rows, the time of the one that took its place. */
  long lastTime(long end) {
    return laterRows == 0 ? end : end + MILLI;
  }

  /**
   * The first entry of the rows that are there, or will be, at {@code time} or later, and can meet one; or
   * {@link TaskOperator#NEVER}. The time never goes back.
   */
  private long firstEntry(long time) {
    firstToMeet = Math.max(firstToMeet, rows.first());
    while (firstToMeet < rows.end() && (end(firstToMeet) < time || !canMeet(firstToMeet))) {
      firstToMeet++;
    }
    return firstToMeet < rows.end() ? entry(firstToMeet) : TaskOperator.NEVER;
  }

  /** When the next row enters, or {@link TaskOperator#NEVER}. */
  long nextEntry() {
    return rows.entered() < rows.end() ? entry(rows.entered()) : TaskOperator.NEVER;
  }

  /** When the next row ends, or {@link TaskOperator#NEVER}. */
  long nextEnd() {
    return rows.first() < rows.end() ? end(rows.first()) : TaskOperator.NEVER;
  }

  /** The ROWTIME with which the next row comes out without a match, or {@link TaskOperator#NEVER}. */
  long nextLastTime() {
    long end = nextEnd();
    return end == TaskOperator.NEVER ? end : lastTime(end);
  }

  /** The next row ends; gives its number. */
  long endFirst() {
    long row = rows.endFirst();
    counter.gone(rows.slot(row));
    return row;
  }

  /** Takes a row's match down; gives whether it is the first one. */
  boolean match(long row) {
    boolean first = rows.match(row);
    if (first) {
      log.matched(row);
    }
    return first;
  }

  /** Brings state up to date; rows that have ended can be read until {@link #trim}. */
  void finish() {
    log.finish();
  }

  void trim() {
    rows.trim();
  }

  /** The least watermark at which {@link #reach} is {@code time}. */
  long reaches(long time) {
    return clock.reaches(time - from + (laterRows > 0 ? MILLI : 0));
  }

  /** The least watermark at which rows that come later are only there after {@code time}: base times are whole milliseconds. */
  long passes(long time) {
    return clock.reaches(time + MILLI - from);
  }

  /** When a row that waits for its turn is due, in microseconds of the watermark. */
  long due() {
    return delayed.due() == TaskOperator.NEVER ? TaskOperator.NEVER : clock.reaches(delayed.due());
  }
}
