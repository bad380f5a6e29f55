package io.rowtime.operator.group;

import io.rowtime.operator.OutputBatch;
import io.rowtime.operator.Stage;
import io.rowtime.operator.spec.RenewedGroupSpec;
import io.rowtime.state.ChangedSlots;
import io.rowtime.state.KeyColumns;
import io.rowtime.state.Rows;
import io.rowtime.state.States;
import io.rowtime.state.values.Input;
import io.rowtime.state.values.Output;
import java.util.Arrays;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.types.StructType;

/**
 * GROUP BY with keys whose groups are never complete, with STATE_TTL: the life of a group ends when no row has come for that long.
 * For each life that a micro-batch changes, it emits the earlier result with -1 and the new one with 1. The result of a life that has
 * ended is never retracted; the next row of the group begins another life, with nothing of the earlier one.
 *
 * <p>Rows arrive in order of time, so only the last life of a group can change. State has a few values of it, until the bound says
 * that every further row would begin another one.
 */
final class RenewedGroups implements Stage, StoredGroups.Kept {
  private final UnsafeProjection key;
  private final int keyColumns;
  private final int closes;
  private final long ttl;
  private final UpdatingCalls calls;
  private final OpenGroups groups = new OpenGroups(this, true);
  /** For each slot: the time of its last row, and the watermark from which on every row begins the group anew. */
  private long[] last = new long[64];
  private long[] ends = new long[64];
  /** For each slot that the batch changes: the place of its result before the batch, or -1. */
  private int[] before = new int[64];

  RenewedGroups(RenewedGroupSpec spec, StructType schema) {
    key = KeyColumns.of(spec.keys(), schema);
    keyColumns = spec.keys().size();
    closes = schema.fieldIndex(spec.closes());
    ttl = spec.ttl();
    if (spec.calls().stream().anyMatch(call -> call.distinct())) {
      throw new UnsupportedOperationException("Groups that begin anew do not keep distinct values");
    }
    calls = new UpdatingCalls(spec.calls(), schema, false);
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

  @Override public void grow(int slots) {
    calls.grow(slots);
    if (slots > last.length) {
      last = Arrays.copyOf(last, slots * 2);
      ends = Arrays.copyOf(ends, slots * 2);
      before = Arrays.copyOf(before, slots * 2);
    }
  }

  @Override public void save(int slot, Output to) {
    to.fixedLong(last[slot]);
    to.fixedLong(ends[slot]);
    calls.save(slot, to);
  }

  @Override public void load(int slot, Input from) {
    last[slot] = from.fixedLong();
    ends[slot] = from.fixedLong();
    calls.load(slot, from);
  }

  @Override public void clear(int slot) {
    calls.clear(slot);
  }

  @Override public OutputBatch process(Rows arrived, long clock) {
    ChangedLives lives = new ChangedLives(calls, keyColumns);
    ChangedSlots changed = new ChangedSlots();
    int[] order = arrived.order();
    UnsafeRow row = arrived.view();
    for (int i = 0; i < arrived.count(); i++) {
      arrived.get(order[i], row);
      long time = arrived.time(order[i]);
      int slot = groups.slot(key.apply(row));
      boolean first = groups.began();
      // A row exactly that much later still belongs to the same life.
      if (!first && time - last[slot] > ttl) {
        if (changed.contains(slot)) {
          lives.emit(groups.keys().key(slot), before[slot], lives.result(slot));
        }
        calls.clear(slot);
        first = true;
      }
      if (first || !changed.contains(slot)) {
        before[slot] = first ? -1 : lives.result(slot);
        changed.add(slot);
      }
      last[slot] = time;
      ends[slot] = row.getLong(closes);
      calls.add(slot, groups.keys().key(slot), row, 1);
    }
    for (int i = 0; i < changed.count(); i++) {
      int slot = changed.slot(i);
      lives.emit(groups.keys().key(slot), before[slot], lives.result(slot));
      if (ends[slot] > clock) {
        groups.stays(slot, ends[slot]);
        groups.touch(slot);
      } else if (!groups.isInState(slot)) {
        groups.forget(slot);
      }
    }
    groups.close(clock, (slot, expected) -> ends[slot], (slot, end) -> groups.forget(slot));
    groups.write();
    return lives.rows();
  }

  @Override public long due() {
    return groups.due();
  }
}
