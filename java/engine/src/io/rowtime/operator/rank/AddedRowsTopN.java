package io.rowtime.operator.rank;

import io.rowtime.aggregate.RankFunction;
import io.rowtime.operator.OutputRows;
import io.rowtime.operator.spec.UpdatingTopNSpec;
import io.rowtime.state.ChangedSlots;
import io.rowtime.state.KeyColumns;
import io.rowtime.state.Rows;
import io.rowtime.state.States;
import io.rowtime.state.StoredSlots;
import io.rowtime.state.TaskOperator;
import io.rowtime.state.values.Input;
import io.rowtime.state.values.Layout;
import io.rowtime.state.values.Output;
import java.util.Arrays;
import java.util.Iterator;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.types.StructType;

/**
 * A few rows by ROW_NUMBER of each partition, where rows are only added: a row that is not among the first ones of its partition now
 * never will be. It emits what {@link UpdatingTopN} would.
 *
 * <p>State has an entry for each partition, with its first rows in order; memory has those of the partitions that were used last.
 */
final class AddedRowsTopN implements TaskOperator, StoredSlots.Kept {
  /** Layout 1 is that of {@link UpdatingTopN}, with the same entries. */
  static final long LAYOUT = 2;
  private static final String NAME = "partitions";
  /** {@link SortedPartitions} has up to this number of rows of a partition in one page. */
  private static final int MOST = 32;

  private final int limit;
  private final int width;
  private final int ranks;
  private final UnsafeProjection partition;
  private final UnsafeProjection columns;
  private final RankOrder order;
  private final StoredSlots partitions = new StoredSlots(this, true);
  private final ChangedSlots changed = new ChangedSlots();
  /** By slot: its first rows in order, and those before the micro-batch. An array never changes; null has no rows. */
  private byte[][][] rows = new byte[64][][];
  private byte[][][] before = new byte[64][][];
  private long bytes;

  AddedRowsTopN(UpdatingTopNSpec spec, StructType schema) {
    limit = spec.limit();
    width = spec.columns().size();
    ranks = spec.ranks().size();
    partition = KeyColumns.of(spec.partition(), schema);
    columns = KeyColumns.of(spec.columns(), schema);
    order = new RankOrder(spec.order(), spec.time(), ChangedFirstRows.kept(spec.columns(), schema));
  }

  /** Returns whether this is the operator for a Top-N; otherwise {@link UpdatingTopN} is. */
  static boolean fits(UpdatingTopNSpec spec) {
    return spec.change() == null && spec.function() == RankFunction.ROW_NUMBER && spec.limit() > 0 && spec.limit() <= MOST
        && spec.ranks().stream().allMatch(each -> each.function() == RankFunction.ROW_NUMBER);
  }

  @Override public void declare(States to) {
    to.entries(NAME);
  }

  @Override public void open(States from, byte[] saved) {
    States.Entries entries = entries(from);
    if (saved == null) {
      partitions.open(entries, null);
      return;
    }
    Input input = new Input(saved);
    long layout = input.number();
    if (layout == 1) {
      partitions.openUncounted(entries);
      return;
    }
    Layout.check(layout, LAYOUT);
    partitions.open(entries, input);
  }

  @Override public void attach(States to) {
    partitions.attach(entries(to));
  }

  private static States.Entries entries(States from) {
    return WholePartitions.of(from.entries(NAME));
  }

  @Override public byte[] save() {
    Output to = new Output();
    to.number(LAYOUT);
    partitions.save(to);
    return to.toBytes();
  }

  @Override public long due() {
    return NEVER;
  }

  @Override public Iterator<InternalRow> process(Iterator<InternalRow> arrived, long watermark) {
    while (arrived.hasNext()) {
      UnsafeRow row = (UnsafeRow) arrived.next();
      add(partitions.slot(partition.apply(row)), columns.apply(row));
    }
    ChangedFirstRows changes = new ChangedFirstRows(width, ranks);
    for (int i = 0; i < changed.count(); i++) {
      int slot = changed.slot(i);
      byte[][] was = before[slot] == null ? new byte[0][] : before[slot];
      if (ranks > 0) {
        compareByNumber(was, rows[slot], changes);
      } else {
        compare(was, rows[slot], -1, changes);
        compare(rows[slot], was, 1, changes);
      }
      before[slot] = null;
      partitions.touch(slot);
    }
    changed.clear();
    partitions.write();
    return new OutputRows(changes.rows(), ChangedFirstRows.types(ranks));
  }

  private void add(int slot, UnsafeRow row) {
    byte[][] first = rows[slot];
    int count = first == null ? 0 : first.length;
    if (count == limit && order.compare(row, first[count - 1]) >= 0) {
      return;
    }
    if (!changed.contains(slot)) {
      changed.add(slot);
      before[slot] = first;
    }
    byte[] content = Rows.bytes(row);
    int at = 0;
    while (at < count && order.compare(row, first[at]) > 0) {
      at++;
    }
    byte[][] next = new byte[Math.min(count + 1, limit)][];
    if (first != null) {
      System.arraycopy(first, 0, next, 0, at);
      System.arraycopy(first, at, next, at + 1, next.length - at - 1);
    }
    next[at] = content;
    bytes += content.length - (count == limit ? first[count - 1].length : 0);
    rows[slot] = next;
  }

  /** Emits how often each row is in {@code some}, but not in {@code others}, times {@code sign}. */
  private void compare(byte[][] some, byte[][] others, int sign, ChangedFirstRows to) {
    int other = 0;
    for (int i = 0; i < some.length;) {
      int end = peers(some, i);
      while (other < others.length && order.compare(others[other], some[i]) < 0) {
        other++;
      }
      boolean isThere = other < others.length && isSame(others[other], some[i]);
      long more = (long) end - i - (isThere ? peers(others, other) - other : 0);
      if (more > 0) {
        to.add(some[i], 0, sign * more);
      }
      i = end;
    }
  }

  /** Returns the place after the last row that is equal to the one at a place. */
  private int peers(byte[][] of, int at) {
    int end = at + 1;
    while (end < of.length && isSame(of[at], of[end])) {
      end++;
    }
    return end;
  }

  private void compareByNumber(byte[][] was, byte[][] now, ChangedFirstRows to) {
    for (int i = 0; i < was.length; i++) {
      if (!isSame(was[i], now[i])) {
        to.add(was[i], i + 1, -1);
      }
    }
    for (int i = 0; i < now.length; i++) {
      if (i >= was.length || !isSame(was[i], now[i])) {
        to.add(now[i], i + 1, 1);
      }
    }
  }

  private boolean isSame(byte[] one, byte[] other) {
    return one == other || order.compare(one, other) == 0;
  }

  @Override public void grow(int slots) {
    if (slots > rows.length) {
      rows = Arrays.copyOf(rows, slots * 2);
      before = Arrays.copyOf(before, slots * 2);
    }
  }

  @Override public long bytes() {
    return bytes;
  }

  @Override public void save(int slot, Output to) {
    WholePartitions.save(rows[slot], to);
  }

  @Override public void load(int slot, Input from) {
    rows[slot] = WholePartitions.load(from, limit);
    for (byte[] row : rows[slot]) {
      bytes += row.length;
    }
  }

  @Override public void clear(int slot) {
    if (rows[slot] != null) {
      for (byte[] row : rows[slot]) {
        bytes -= row.length;
      }
    }
    rows[slot] = null;
  }
}
