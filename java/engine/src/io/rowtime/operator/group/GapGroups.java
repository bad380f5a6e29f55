package io.rowtime.operator.group;

import io.rowtime.operator.Stage;
import io.rowtime.state.ChangedSlots;
import io.rowtime.state.KeyColumns;
import io.rowtime.state.Rows;
import io.rowtime.state.States;
import io.rowtime.state.StoredSlots;
import io.rowtime.state.values.Input;
import io.rowtime.state.values.Output;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntConsumer;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.types.StructType;

/**
 * Groups that end by the distance of their rows: a row that is more than a gap after the one before it with the same key begins another
 * one. Rows arrive in order of time, so a key has at most one open group.
 */
abstract class GapGroups implements Stage, StoredSlots.Kept {
  final OpenGroups groups = new OpenGroups(this, true);
  private final UnsafeProjection key;
  private final int closes;
  private final long gap;
  /** For each slot: the time of its last row, and the watermark at which the group ends if no row arrives. */
  private long[] last = new long[64];
  private long[] ends = new long[64];

  GapGroups(List<String> keys, String closes, long gap, StructType schema) {
    key = KeyColumns.of(keys, schema);
    this.closes = schema.fieldIndex(closes);
    this.gap = gap;
  }

  /** Ends the group of a slot, because a row follows that begins another one; {@code changed} has the slots that got rows before. */
  abstract void end(int slot, ChangedSlots changed);

  /**
   * Adds a row to the group of a slot.
   *
   * @param begins whether it is the first one
   */
  abstract void add(int slot, UnsafeRow row, long time, boolean begins, ChangedSlots changed);

  /** Adds rows in order of time, and returns the slots that got some. */
  final ChangedSlots add(Rows arrived) {
    ChangedSlots changed = new ChangedSlots();
    int[] order = arrived.order();
    UnsafeRow row = arrived.view();
    for (int i = 0; i < arrived.count(); i++) {
      arrived.get(order[i], row);
      long time = arrived.time(order[i]);
      int slot = slot(row);
      boolean begins = groups.began();
      // A row exactly one gap later still belongs to the group.
      if (!begins && time - last[slot] > gap) {
        end(slot, changed);
        begins = true;
      }
      add(slot, row, time, begins, changed);
      last[slot] = time;
      ends[slot] = closes(row);
      changed.add(slot);
    }
    return changed;
  }

  /** Keeps the groups that the clock has not ended, and passes on all others: those of {@code changed}, and those in state. */
  final void close(ChangedSlots changed, long clock, IntConsumer ended) {
    for (int i = 0; i < changed.count(); i++) {
      int slot = changed.slot(i);
      if (ends[slot] > clock) {
        groups.stays(slot, ends[slot]);
        groups.touch(slot);
      } else if (!groups.isInState(slot)) {
        ended.accept(slot);
      }
    }
    groups.close(clock, (slot, expected) -> ends[slot], (slot, end) -> ended.accept(slot));
  }

  /** Returns the slot of the group that a row belongs to. */
  final int slot(UnsafeRow row) {
    return groups.slot(key.apply(row));
  }

  /** Returns the watermark at which a group would end whose last row this is. */
  final long closes(UnsafeRow row) {
    return row.getLong(closes);
  }

  final long last(int slot) {
    return last[slot];
  }

  final long ends(int slot) {
    return ends[slot];
  }

  @Override public void declare(States to) {
    groups.declare(to);
  }

  @Override public void open(States to, Input from) {
    groups.open(to, from);
  }

  @Override public void attach(States to) {
    groups.attach(to);
  }

  @Override public void save(Output to) {
    groups.save(to);
  }

  @Override public long due() {
    return groups.due();
  }

  @Override public void grow(int slots) {
    if (slots > last.length) {
      last = Arrays.copyOf(last, slots * 2);
      ends = Arrays.copyOf(ends, slots * 2);
    }
  }

  @Override public void save(int slot, Output to) {
    to.fixedLong(last[slot]);
    to.fixedLong(ends[slot]);
  }

  @Override public void load(int slot, Input from) {
    last[slot] = from.fixedLong();
    ends[slot] = from.fixedLong();
  }
}
