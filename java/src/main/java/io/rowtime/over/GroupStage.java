package io.rowtime.over;

import io.rowtime.over.values.Chunk;
import io.rowtime.over.values.Input;
import io.rowtime.over.values.Keys;
import io.rowtime.over.values.Output;
import io.rowtime.over.values.Values;
import java.util.Arrays;
import java.util.List;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.types.StructType;

/**
 * GROUP BY where each group is complete at a time that its keys tell: a row for each group, then.
 *
 * <p>In state are a few values for each group, the times at which groups close, and a log of the rows that calls have to
 * see again after a restart. A batch writes the groups that it has changed and the rows that it adds to the log. Groups
 * that begin and end in one batch never come into state.
 */
final class GroupStage implements Stage {
  private final UnsafeProjection key;
  private final int keyColumns;
  private final int closes;
  private final GroupCalls calls;
  private final Closings closings = new Closings();
  private final Touched touched = new Touched();
  private Keys keys = new Keys();
  private States.Entries entries;
  /** Null where no rows are kept. */
  private Log log;
  private final Cursor retired = new Cursor();
  /** How many groups are in state, and whether all of them are in memory. */
  private long groups;
  private boolean complete = true;

  GroupStage(Spec spec, List<Spec.Call> asked, StructType schema) {
    key = KeyColumns.of(spec.group().keys(), schema);
    keyColumns = spec.group().keys().size();
    closes = schema.fieldIndex(spec.closes());
    calls = new GroupCalls(asked, schema);
  }

  @Override public void declare(States to) {
    to.entries("groups");
    to.blocks("closings");
    if (calls.keepsRows()) {
      to.blocks("log");
    }
  }

  @Override public void open(States to, Input from) {
    entries = to.entries("groups");
    closings.open(to.blocks("closings"), from);
    if (calls.keepsRows()) {
      log = new Log(calls.types(), keys, bytes -> keys.find(bytes));
      log.attach(to.blocks("log"));
    }
    if (from == null) {
      return;
    }
    groups = from.number();
    complete = log != null || groups <= SavedFrames.inMemory;
    if (complete) {
      entries.forEach((group, saved) -> load(keys.slot(group), saved));
    }
    if (log != null) {
      log.load(from);
      retired.load(from);
      replay();
    }
  }

  @Override public void attach(States to) {
    entries = to.entries("groups");
    closings.attach(to.blocks("closings"));
    if (log != null) {
      log.attach(to.blocks("log"));
    }
  }

  @Override public void save(Output to) {
    closings.save(to);
    to.number(groups);
    if (log != null) {
      log.save(to);
      retired.save(to);
    }
  }

  private void replay() {
    Cursor at = new Cursor();
    at.moveTo(retired);
    for (; at.ready(log); at.row++) {
      // Rows of groups that are over lie among the others.
      int slot = at.chunk.slots[at.row];
      if (slot >= 0) {
        calls.addKept(slot, at.chunk, at.row);
      }
    }
    log.finish(List.of(retired));
  }

  private void load(int slot, byte[] saved) {
    calls.grow(keys.slots());
    calls.load(slot, new Input(saved));
  }

  @Override public Emission process(Rows arrived, long clock) {
    Ending ending = new Ending();
    Chunk rows = log == null ? null : new Chunk(calls.types(), 0);
    UnsafeRow row = arrived.view();
    for (int i = 0; i < arrived.count(); i++) {
      arrived.get(i, row);
      // A group whose key is NULL is complete when the stream is.
      long end = row.isNullAt(closes) ? NEVER : row.getLong(closes);
      boolean stays = end > clock;
      int slot = keys.slot(key.apply(row));
      boolean begins = keys.created() && !found(slot);
      if (begins && stays) {
        closings.add(keys.key(slot), end);
        groups++;
      } else if (begins) {
        ending.add(slot, end);
      }
      calls.add(slot, row, end, stays, rows);
      if (stays && (begins || calls.savesValues())) {
        touched.add(slot);
      }
    }
    closings.close(clock, (group, end) -> {
      int slot = keys.slot(group);
      if (keys.created()) {
        found(slot);
      }
      touched.remove(slot);
      entries.remove(group);
      groups--;
      ending.add(slot, end);
    });
    Emission out = ending.emit();
    write();
    if (log != null) {
      retire(rows, clock);
    }
    return out;
  }

  /** Whether a group that is new in memory is in state: then it is read. */
  private boolean found(int slot) {
    calls.grow(keys.slots());
    byte[] saved = complete ? null : entries.get(keys.key(slot));
    if (saved != null) {
      load(slot, saved);
    }
    return saved != null;
  }

  private void write() {
    for (int i = 0; i < touched.count(); i++) {
      int slot = touched.slot(i);
      if (touched.contains(slot)) {
        Output to = new Output();
        calls.save(slot, to);
        entries.put(keys.key(slot), to.toBytes());
      }
    }
    touched.clear();
    if (log == null && keys.size() > SavedFrames.inMemory) {
      for (int slot = 0; slot < keys.slots(); slot++) {
        calls.clear(slot);
      }
      keys = new Keys();
      complete = false;
    }
    complete |= groups == 0;
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
    return closings.due();
  }

  /** The groups that are over, and when they were. */
  private final class Ending {
    private int[] slots = new int[64];
    private long[] ends = new long[64];
    private int count;

    void add(int slot, long end) {
      if (count == slots.length) {
        slots = Arrays.copyOf(slots, count * 2);
        ends = Arrays.copyOf(ends, count * 2);
      }
      slots[count] = slot;
      ends[count++] = end;
    }

    /** A row for each, those that have ended first before the others; the groups are gone then. */
    Emission emit() {
      Rows groupRows = new Rows(keyColumns);
      UnsafeRow view = new UnsafeRow(keyColumns);
      for (int i = 0; i < count; i++) {
        byte[] bytes = keys.key(slots[i]);
        view.pointTo(bytes, bytes.length);
        groupRows.add(view, ends[i], i);
      }
      int[] order = groupRows.order();
      Values[] results = calls.begin(keys.slots(), count);
      for (int i = 0; i < count; i++) {
        int slot = slots[order[i]];
        calls.result(slot, i);
        calls.clear(slot);
        keys.free(slot);
      }
      return new Emission(groupRows, order, count, results);
    }
  }
}
