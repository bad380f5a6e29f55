package io.rowtime.operator.group;

import io.rowtime.operator.OutputBatch;
import io.rowtime.operator.Stage;
import io.rowtime.operator.spec.GroupSpec;
import io.rowtime.state.Cursor;
import io.rowtime.state.KeyColumns;
import io.rowtime.state.RowLog;
import io.rowtime.state.Rows;
import io.rowtime.state.States;
import io.rowtime.state.values.Chunk;
import io.rowtime.state.values.Input;
import io.rowtime.state.values.Output;
import java.util.List;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.types.StructType;

/**
 * GROUP BY with keys that determine when a group is complete; emits a row per group at that time.
 *
 * <p>State contains a few values per group, and a log of the rows that calls need again after a restart. A batch writes
 * the groups that it has changed, and appends rows to the log.
 */
final class GroupStage implements Stage {
  private final UnsafeProjection key;
  private final int keyColumns;
  private final int closes;
  private final GroupCalls calls;
  private final OpenGroups groups;
  /** Null if no rows are kept. */
  private RowLog log;
  private final Cursor retired = new Cursor();

  GroupStage(GroupSpec spec, StructType schema) {
    key = KeyColumns.of(spec.keys(), schema);
    keyColumns = spec.keys().size();
    closes = schema.fieldIndex(spec.closes());
    calls = new GroupCalls(spec.calls(), schema);
    // Values derived from the log's rows stay in memory as long as the rows do.
    groups = new OpenGroups(calls, !calls.keepsRows());
  }

  @Override public void declare(States to) {
    groups.declare(to);
    if (calls.keepsRows()) {
      to.blocks("log");
    }
  }

  @Override public void open(States to, Input from) {
    groups.open(to, from);
    if (!calls.keepsRows()) {
      return;
    }
    log = new RowLog(calls.types(), groups.keys(), groups.keys()::find);
    log.attach(to.blocks("log"));
    if (from != null) {
      log.load(from);
      retired.load(from);
      replay();
    }
  }

  @Override public void attach(States to) {
    groups.attach(to);
    if (log != null) {
      log.attach(to.blocks("log"));
    }
  }

  @Override public void save(Output to) {
    groups.save(to);
    if (log != null) {
      log.save(to);
      retired.save(to);
    }
  }

  private void replay() {
    Cursor at = new Cursor();
    at.moveTo(retired);
    for (; at.ready(log); at.row++) {
      // The log also contains rows of groups that have ended.
      int slot = at.chunk.slots[at.row];
      if (slot >= 0) {
        calls.addKept(slot, at.chunk, at.row);
      }
    }
    log.finish(List.of(retired));
  }

  @Override public OutputBatch process(Rows arrived, long clock) {
    EndedGroups ended = new EndedGroups(keyColumns, false, calls, groups.keys().slots());
    EndedSlots ending = new EndedSlots();
    Chunk rows = log == null ? null : new Chunk(calls.types(), 0);
    UnsafeRow row = arrived.view();
    for (int i = 0; i < arrived.count(); i++) {
      arrived.get(i, row);
      // A group whose key is NULL is complete when the stream ends.
      long end = row.isNullAt(closes) ? NEVER : row.getLong(closes);
      boolean stays = end > clock;
      int slot = groups.slot(key.apply(row));
      calls.add(slot, row, end, stays, rows);
      if (!stays && groups.began()) {
        ending.add(slot, end);
      } else if (stays) {
        groups.stays(slot, end);
        if (calls.savesValues()) {
          groups.touch(slot);
        }
      }
    }
    groups.close(clock, (slot, end) -> end, ending::add);
    for (int i = 0; i < ending.count; i++) {
      int slot = ending.slots[i];
      ended.add(groups.keys().key(slot), slot, 0, ending.ends[i]);
      groups.forget(slot);
    }
    groups.write();
    if (log != null) {
      retire(rows, clock);
    }
    return ended.emit();
  }

  private void retire(Chunk rows, long clock) {
    if (rows.rows > 0) {
      log.append(rows);
    }
    while (retired.ready(log) && retired.chunk.times[retired.row] <= clock) {
      retired.row++;
    }
    log.finish(List.of(retired));
  }

  @Override public long due() {
    return groups.due();
  }
}
