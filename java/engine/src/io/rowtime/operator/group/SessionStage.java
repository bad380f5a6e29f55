package io.rowtime.operator.group;

import io.rowtime.operator.OutputBatch;
import io.rowtime.operator.spec.SessionSpec;
import io.rowtime.state.ChangedSlots;
import io.rowtime.state.Rows;
import io.rowtime.state.values.Input;
import io.rowtime.state.values.Output;
import java.util.Arrays;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.types.StructType;

/**
 * GROUP BY SESSION: emits a row per session when no row that belongs to it can arrive any more. Rows arrive in order of
 * time, so a key has at most one open session.
 */
final class SessionStage extends GapGroups {
  private final int keyColumns;
  private final GroupCalls calls;
  /** For each slot: the time of its first row. */
  private long[] first = new long[64];
  /** What a batch has ended. */
  private EndedGroups ended;

  SessionStage(SessionSpec spec, StructType schema) {
    super(spec.keys(), spec.closes(), spec.gap(), schema);
    keyColumns = spec.keys().size();
    calls = new GroupCalls(spec.calls(), schema);
    if (calls.keepsRows()) {
      throw new UnsupportedOperationException("rowtime's own sessions do not keep rows");
    }
  }

  @Override public void grow(int slots) {
    super.grow(slots);
    calls.grow(slots);
    if (slots > first.length) {
      first = Arrays.copyOf(first, slots * 2);
    }
  }

  @Override public void save(int slot, Output to) {
    to.fixedLong(first[slot]);
    super.save(slot, to);
    calls.save(slot, to);
  }

  @Override public void load(int slot, Input from) {
    first[slot] = from.fixedLong();
    super.load(slot, from);
    calls.load(slot, from);
  }

  @Override public void clear(int slot) {
    calls.clear(slot);
  }

  @Override public OutputBatch process(Rows arrived, long clock) {
    ended = new EndedGroups(keyColumns, true, calls, groups.keys().slots());
    close(add(arrived), clock, slot -> {
      end(slot);
      groups.forget(slot);
    });
    groups.write();
    OutputBatch rows = ended.emit();
    ended = null;
    return rows;
  }

  @Override void end(int slot, ChangedSlots changed) {
    end(slot);
    calls.clear(slot);
  }

  @Override void add(int slot, UnsafeRow row, long time, boolean begins, ChangedSlots changed) {
    if (begins) {
      first[slot] = time;
    }
    calls.add(slot, row, 0, true, null);
  }

  private void end(int slot) {
    ended.add(groups.keys().key(slot), slot, first[slot], ends(slot));
  }
}
