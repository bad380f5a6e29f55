package io.rowtime.operator.group;

import io.rowtime.operator.OutputBatch;
import io.rowtime.operator.Stage;
import io.rowtime.operator.spec.SessionWindowsSpec;
import io.rowtime.state.ChangedSlots;
import io.rowtime.state.DelayedRows;
import io.rowtime.state.KeyColumns;
import io.rowtime.state.NaturalMergeSort;
import io.rowtime.state.Rows;
import io.rowtime.state.States;
import io.rowtime.state.values.Input;
import io.rowtime.state.values.Output;
import io.rowtime.state.values.ValueType;
import io.rowtime.state.values.Values;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;

/**
 * SESSION as a table function: emits each row with the start and the end of its session when no row that belongs to the
 * session can arrive any more. Rows arrive in order of time, so a key has at most one open session.
 *
 * <p>A row waits until its session would end without further rows; if others have arrived by then, it waits again until
 * the session's new end. A row is therefore written at most once for each gap that its session lasts.
 */
final class SessionWindowsStage implements Stage, StoredGroups.Kept {
  private static final String ROWS = "rows";

  private final UnsafeProjection key;
  private final int time;
  private final int closes;
  private final long gap;
  private final int width;
  private final OpenGroups sessions = new OpenGroups(this, true);
  private final DelayedRows waiting = new DelayedRows();
  /**
   * For each slot: the times of its first and last row, and the watermark at which the session ends if no row arrives.
   */
  private long[] first = new long[64];
  private long[] last = new long[64];
  private long[] ends = new long[64];
  /** The latest session of a slot that has ended in this batch, or null. */
  private Session[] over = new Session[64];

  /**
   * A session that has ended; {@code before} is the previous session of the same key that has ended in the same batch,
   * or null.
   */
  private record Session(int number, long first, long last, long ends, Session before) {}

  SessionWindowsStage(SessionWindowsSpec spec, StructType schema) {
    key = KeyColumns.of(spec.keys(), schema);
    time = schema.fieldIndex(spec.time());
    closes = schema.fieldIndex(spec.closes());
    gap = spec.gap();
    width = schema.length();
  }

  @Override public void declare(States to) {
    sessions.declare(to);
    to.blocks(ROWS);
  }

  @Override public void open(States to, Input from) {
    sessions.open(to, from);
    waiting.open(to.blocks(ROWS), from);
  }

  @Override public void attach(States to) {
    sessions.attach(to);
    waiting.attach(to.blocks(ROWS));
  }

  @Override public void save(Output to) {
    sessions.save(to);
    waiting.save(to);
  }

  @Override public void grow(int slots) {
    if (slots > first.length) {
      first = Arrays.copyOf(first, slots * 2);
      last = Arrays.copyOf(last, slots * 2);
      ends = Arrays.copyOf(ends, slots * 2);
      over = Arrays.copyOf(over, slots * 2);
    }
  }

  @Override public void save(int slot, Output to) {
    to.fixedLong(first[slot]);
    to.fixedLong(last[slot]);
    to.fixedLong(ends[slot]);
  }

  @Override public void load(int slot, Input from) {
    first[slot] = from.fixedLong();
    last[slot] = from.fixedLong();
    ends[slot] = from.fixedLong();
  }

  @Override public void clear(int slot) {
    over[slot] = null;
  }

  @Override public OutputBatch process(Rows arrived, long clock) {
    Ended ended = new Ended();
    ChangedSlots gone = new ChangedSlots();
    ChangedSlots seen = new ChangedSlots();
    int[] order = arrived.order();
    UnsafeRow row = arrived.view();
    for (int i = 0; i < arrived.count(); i++) {
      arrived.get(order[i], row);
      long at = row.getLong(time);
      int slot = sessions.slot(key.apply(row));
      boolean begins = sessions.began();
      // A row exactly one gap later still belongs to the session.
      if (!begins && at - last[slot] > gap) {
        ended.end(slot);
        begins = true;
      }
      if (begins) {
        first[slot] = at;
      }
      last[slot] = at;
      ends[slot] = row.getLong(closes);
      seen.add(slot);
    }
    for (int i = 0; i < seen.count(); i++) {
      int slot = seen.slot(i);
      if (ends[slot] > clock) {
        sessions.stays(slot, ends[slot]);
        sessions.touch(slot);
      } else if (!sessions.isInState(slot)) {
        ended.end(slot);
        gone.add(slot);
      }
    }
    sessions.close(clock, (slot, expected) -> ends[slot], (slot, end) -> {
      ended.end(slot);
      gone.add(slot);
    });
    waiting.release(clock, run -> ended.place(run.row(width), clock));
    for (int i = 0; i < arrived.count(); i++) {
      ended.place(arrived.get(order[i], row), clock);
    }
    waiting.flush();
    for (int i = 0; i < gone.count(); i++) {
      sessions.forget(gone.slot(i));
    }
    for (int i = 0; i < seen.count(); i++) {
      over[seen.slot(i)] = null;
    }
    sessions.write();
    return ended.emit();
  }

  @Override public long due() {
    return Math.min(sessions.due(), waiting.due());
  }

  /** The output of a batch: the sessions that have ended, and their rows. */
  private final class Ended {
    private final List<Session> list = new ArrayList<>();
    private final Rows rows = new Rows(width);
    private int[] of = new int[64];

    /** Records that the session of a slot has ended. */
    void end(int slot) {
      over[slot] = new Session(list.size(), first[slot], last[slot], ends[slot], over[slot]);
      list.add(over[slot]);
    }

    /** Moves a row to the output if its session has ended; otherwise the row keeps waiting. */
    void place(UnsafeRow row, long clock) {
      long at = row.getLong(time);
      int slot = sessions.slot(key.apply(row));
      for (Session session = over[slot]; session != null; session = session.before) {
        if (session.first <= at && at <= session.last) {
          add(row, at, session.number);
          return;
        }
      }
      long alone = row.getLong(closes);
      waiting.add(alone > clock ? alone : ends[slot], row);
    }

    private void add(UnsafeRow row, long at, int session) {
      int number = rows.add(row, at, rows.count());
      if (number == of.length) {
        of = Arrays.copyOf(of, number * 2);
      }
      of[number] = session;
    }

    /** Returns the rows, by the end of their session, and within a session in order of time. */
    OutputBatch emit() {
      int[] order = NaturalMergeSort.sort(rows.count(), this::precedes);
      Values starts = new Values(ValueType.of(DataTypes.TimestampType), order.length);
      Values stops = new Values(ValueType.of(DataTypes.TimestampType), order.length);
      for (int i = 0; i < order.length; i++) {
        Session session = list.get(of[order[i]]);
        starts.setLong(i, session.first);
        stops.setLong(i, session.last + gap);
      }
      return new OutputBatch(rows, order, order.length, new Values[] {starts, stops});
    }

    private boolean precedes(int left, int right) {
      if (of[left] != of[right]) {
        Session one = list.get(of[left]);
        Session other = list.get(of[right]);
        return one.ends != other.ends ? one.ends < other.ends : one.number < other.number;
      }
      return rows.time(left) != rows.time(right) ? rows.time(left) < rows.time(right) : left < right;
    }
  }
}
