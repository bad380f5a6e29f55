package io.rowtime.operator.group;

import io.rowtime.operator.OutputBatch;
import io.rowtime.operator.Stage;
import io.rowtime.operator.spec.SessionSpec;
import io.rowtime.state.ChangedSlots;
import io.rowtime.state.KeyColumns;
import io.rowtime.state.Rows;
import io.rowtime.state.States;
import io.rowtime.state.values.Input;
import io.rowtime.state.values.Output;
import java.util.Arrays;
import java.util.List;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.types.StructType;

/**
 * GROUP BY SESSION: emits a row per session when no row that belongs to it can arrive any more. Rows arrive in order of
 * time, so a key has at most one open session.
 */
final class SessionStage implements Stage, StoredGroups.Kept {
  private final UnsafeProjection key;
  private final int keyColumns;
  private final int closes;
  private final long gap;
  private final GroupCalls calls;
  private final OpenGroups sessions = new OpenGroups(this, true);
  /**
   * For each slot: the times of its first and last row, and the watermark at which the session ends if no row arrives.
   */
  private long[] first = new long[64];
  private long[] last = new long[64];
  private long[] ends = new long[64];

  SessionStage(SessionSpec spec, StructType schema) {
    key = KeyColumns.of(spec.keys(), schema);
    keyColumns = spec.keys().size();
    closes = schema.fieldIndex(spec.closes());
    gap = spec.gap();
    calls = new GroupCalls(spec.calls(), schema);
    if (calls.keepsRows()) {
      throw new UnsupportedOperationException("rowtime's own sessions do not keep rows");
    }
  }

  @Override public void declare(States to) {
    sessions.declare(to);
  }

  @Override public void open(States to, Input from) {
    sessions.open(to, from);
  }

  @Override public void attach(States to) {
    sessions.attach(to);
  }

  @Override public void save(Output to) {
    sessions.save(to);
  }

  @Override public void grow(int slots) {
    calls.grow(slots);
    if (slots > first.length) {
      first = Arrays.copyOf(first, slots * 2);
      last = Arrays.copyOf(last, slots * 2);
      ends = Arrays.copyOf(ends, slots * 2);
    }
  }

  @Override public void save(int slot, Output to) {
    to.fixedLong(first[slot]);
    to.fixedLong(last[slot]);
    to.fixedLong(ends[slot]);
    calls.save(slot, to);
  }

  @Override public void load(int slot, Input from) {
    first[slot] = from.fixedLong();
    last[slot] = from.fixedLong();
    ends[slot] = from.fixedLong();
    calls.load(slot, from);
  }

  @Override public void clear(int slot) {
    calls.clear(slot);
  }

  @Override public OutputBatch process(Rows arrived, long clock) {
    EndedGroups ended = new EndedGroups(keyColumns, true, calls, sessions.keys().slots());
    ChangedSlots seen = new ChangedSlots();
    int[] order = arrived.order();
    UnsafeRow row = arrived.view();
    for (int i = 0; i < arrived.count(); i++) {
      arrived.get(order[i], row);
      long time = arrived.time(order[i]);
      int slot = sessions.slot(key.apply(row));
      boolean begins = sessions.began();
      // A row exactly one gap later still belongs to the session.
      if (!begins && time - last[slot] > gap) {
        end(slot, ended);
        calls.clear(slot);
        begins = true;
      }
      if (begins) {
        first[slot] = time;
      }
      last[slot] = time;
      ends[slot] = row.getLong(closes);
      calls.add(slot, row, 0, true, null);
      seen.add(slot);
    }
    for (int i = 0; i < seen.count(); i++) {
      int slot = seen.slot(i);
      if (ends[slot] > clock) {
        sessions.stays(slot, ends[slot]);
        sessions.touch(slot);
      } else if (!sessions.isInState(slot)) {
        end(slot, ended);
        sessions.forget(slot);
      }
    }
    sessions.close(clock, (slot, expected) -> ends[slot], (slot, end) -> {
      end(slot, ended);
      sessions.forget(slot);
    });
    sessions.write();
    return ended.emit();
  }

  private void end(int slot, EndedGroups to) {
    to.add(sessions.keys().key(slot), slot, first[slot], ends[slot]);
  }

  @Override public long due() {
    return sessions.due();
  }
}
