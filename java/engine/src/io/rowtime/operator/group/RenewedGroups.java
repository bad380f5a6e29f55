package io.rowtime.operator.group;

import io.rowtime.operator.OutputBatch;
import io.rowtime.operator.spec.RenewedGroupSpec;
import io.rowtime.state.ChangedSlots;
import io.rowtime.state.Rows;
import io.rowtime.state.States;
import io.rowtime.state.values.Input;
import io.rowtime.state.values.Output;
import java.util.Arrays;
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
final class RenewedGroups extends GapGroups {
  private final int keyColumns;
  private final UpdatingCalls calls;
  /** For each slot that the batch changes: the place of its result before the batch, or -1. */
  private int[] before = new int[64];
  /** What a batch changes. */
  private ChangedLives lives;

  RenewedGroups(RenewedGroupSpec spec, StructType schema) {
    super(spec.keys(), spec.closes(), spec.ttl(), schema);
    keyColumns = spec.keys().size();
    calls = new UpdatingCalls(spec.calls(), schema, false, true);
  }

  @Override public void declare(States to) {
    super.declare(to);
    calls.declare(to);
  }

  @Override public void open(States to, Input from) {
    super.open(to, from);
    calls.attach(to);
  }

  @Override public void attach(States to) {
    super.attach(to);
    calls.attach(to);
  }

  @Override public void grow(int slots) {
    super.grow(slots);
    calls.grow(slots);
    if (slots > before.length) {
      before = Arrays.copyOf(before, slots * 2);
    }
  }

  @Override public void save(int slot, Output to) {
    super.save(slot, to);
    calls.save(slot, to);
  }

  @Override public void load(int slot, Input from) {
    super.load(slot, from);
    calls.load(slot, from);
  }

  @Override public void clear(int slot) {
    calls.clear(slot);
  }

  @Override public OutputBatch process(Rows arrived, long clock) {
    lives = new ChangedLives(calls, keyColumns);
    ChangedSlots changed = add(arrived);
    for (int i = 0; i < changed.count(); i++) {
      emit(changed.slot(i));
    }
    close(changed, clock, slot -> {
      calls.end(slot, groups.keys().key(slot));
      groups.forget(slot);
    });
    groups.write();
    OutputBatch rows = lives.rows();
    lives = null;
    return rows;
  }

  @Override void end(int slot, ChangedSlots changed) {
    if (changed.contains(slot)) {
      emit(slot);
    }
    calls.end(slot, groups.keys().key(slot));
  }

  @Override void add(int slot, UnsafeRow row, long time, boolean begins, ChangedSlots changed) {
    if (begins || !changed.contains(slot)) {
      before[slot] = begins ? -1 : lives.result(slot);
    }
    calls.add(slot, groups.keys().key(slot), row, 1);
  }

  private void emit(int slot) {
    lives.emit(groups.keys().key(slot), before[slot], lives.result(slot));
  }
}
