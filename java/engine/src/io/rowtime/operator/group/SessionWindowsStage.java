package io.rowtime.operator.group;

import io.rowtime.operator.OutputBatch;
import io.rowtime.operator.spec.SessionWindowsSpec;
import io.rowtime.state.ChangedSlots;
import io.rowtime.state.DelayedRows;
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
final class SessionWindowsStage extends GapGroups {
  private static final String ROWS = "rows";

  private final int time;
  private final long gap;
  private final int width;
  private final DelayedRows waiting = new DelayedRows();
  /** For each slot: the time of its first row. */
  private long[] first = new long[64];
  /** The latest session of a slot that has ended in this batch, or null. */
  private Session[] over = new Session[64];
  /** What a batch has ended. */
  private Ended ended;

  /**
   * A session that has ended; {@code before} is the previous session of the same key that has ended in the same batch,
   * or null.
   */
  private record Session(int number, long first, long last, long ends, Session before) {}

  SessionWindowsStage(SessionWindowsSpec spec, StructType schema) {
    super(spec.keys(), spec.closes(), spec.gap(), schema);
    time = schema.fieldIndex(spec.time());
    gap = spec.gap();
    width = schema.length();
  }

  @Override public void declare(States to) {
    super.declare(to);
    to.blocks(ROWS);
  }

  @Override public void open(States to, Input from) {
    super.open(to, from);
    waiting.open(to.blocks(ROWS), from);
  }

  @Override public void attach(States to) {
    super.attach(to);
    waiting.attach(to.blocks(ROWS));
  }

  @Override public void save(Output to) {
    super.save(to);
    waiting.save(to);
  }

  @Override public void grow(int slots) {
    super.grow(slots);
    if (slots > first.length) {
      first = Arrays.copyOf(first, slots * 2);
      over = Arrays.copyOf(over, slots * 2);
    }
  }

  @Override public void save(int slot, Output to) {
    to.fixedLong(first[slot]);
    super.save(slot, to);
  }

  @Override public void load(int slot, Input from) {
    first[slot] = from.fixedLong();
    super.load(slot, from);
  }

  @Override public void clear(int slot) {
    over[slot] = null;
  }

  @Override public OutputBatch process(Rows arrived, long clock) {
    ended = new Ended();
    ChangedSlots gone = new ChangedSlots();
    ChangedSlots seen = add(arrived);
    close(seen, clock, slot -> {
      ended.end(slot);
      gone.add(slot);
    });
    waiting.release(clock, run -> ended.place(run.row(width), clock));
    int[] order = arrived.order();
    UnsafeRow row = arrived.view();
    for (int i = 0; i < arrived.count(); i++) {
      ended.place(arrived.get(order[i], row), clock);
    }
    waiting.flush();
    for (int i = 0; i < gone.count(); i++) {
      groups.forget(gone.slot(i));
    }
    for (int i = 0; i < seen.count(); i++) {
      over[seen.slot(i)] = null;
    }
    groups.write();
    OutputBatch rows = ended.emit();
    ended = null;
    return rows;
  }

  @Override void end(int slot, ChangedSlots changed) {
    ended.end(slot);
  }

  @Override void add(int slot, UnsafeRow row, long time, boolean begins, ChangedSlots changed) {
    if (begins) {
      first[slot] = time;
    }
  }

  @Override public long due() {
    return Math.min(super.due(), waiting.due());
  }

  /** The output of a batch: the sessions that have ended, and their rows. */
  private final class Ended {
    private final List<Session> list = new ArrayList<>();
    private final Rows rows = new Rows(width);
    private int[] of = new int[64];

    /** Records that the session of a slot has ended. */
    void end(int slot) {
      over[slot] = new Session(list.size(), first[slot], last(slot), ends(slot), over[slot]);
      list.add(over[slot]);
    }

    /** Moves a row to the output if its session has ended; otherwise the row keeps waiting. */
    void place(UnsafeRow row, long clock) {
      long at = row.getLong(time);
      int slot = slot(row);
      for (Session session = over[slot]; session != null; session = session.before) {
        if (session.first <= at && at <= session.last) {
          add(row, at, session.number);
          return;
        }
      }
      long alone = closes(row);
      waiting.add(alone > clock ? alone : ends(slot), row);
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
