package io.rowtime.operator.group;

import io.rowtime.operator.OutputRows;
import io.rowtime.operator.calls.Calls;
import io.rowtime.operator.spec.Call;
import io.rowtime.operator.spec.UpdatingGroupSpec;
import io.rowtime.state.KeyColumns;
import io.rowtime.state.States;
import io.rowtime.state.StoredSlots;
import io.rowtime.state.TaskOperator;
import io.rowtime.state.values.Input;
import io.rowtime.state.values.Layout;
import io.rowtime.state.values.Output;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.stream.Stream;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;

/**
 * GROUP BY with keys whose groups are never complete. For each group that a micro-batch has changed, it emits the earlier result
 * with -1 and the new one with 1; nothing if they are equal. If rows can be retracted, a group without rows is dropped.
 *
 * <p>State contains a few values per group, the distinct values of calls with DISTINCT, and those of MIN and MAX if rows can be
 * retracted. It grows with the number of groups; memory does not.
 */
final class UpdatingGroups implements TaskOperator, StoredSlots.Kept {
  private static final long LAYOUT = 1;

  private final UpdatingGroupSpec spec;
  private final UnsafeProjection key;
  private final UpdatingCalls calls;
  /** The index of the column that says how often a row is added, or -1. */
  private final int change;
  private final StoredSlots groups = new StoredSlots(this, true);
  /** How many rows a group has, by slot; counted only if rows can be retracted. */
  private long[] counts = new long[64];

  UpdatingGroups(UpdatingGroupSpec spec, StructType schema) {
    this.spec = spec;
    key = KeyColumns.of(spec.keys(), schema);
    calls = new UpdatingCalls(spec.calls(), schema, spec.change() != null, false);
    change = spec.change() == null ? -1 : schema.fieldIndex(spec.change());
  }

  /** Returns the output columns: the keys, the results of the calls, and whether the row is added or retracted. */
  static StructType output(UpdatingGroupSpec spec, StructType input) {
    StructType output = new StructType();
    for (String name : spec.keys()) {
      output = output.add(input.apply(name));
    }
    for (Call call : spec.calls()) {
      output = output.add(call.name(), Calls.type(call));
    }
    return output.add(UpdatingGroupSpec.CHANGE, DataTypes.LongType, false);
  }

  @Override public void declare(States to) {
    to.entries(OpenGroups.NAME);
    calls.declare(to);
  }

  @Override public void open(States from, byte[] saved) {
    Input input = saved == null ? null : new Input(saved);
    if (input != null) {
      Layout.check(input.number(), LAYOUT);
    }
    groups.open(from.entries(OpenGroups.NAME), input);
    calls.attach(from);
  }

  @Override public void attach(States to) {
    groups.attach(to.entries(OpenGroups.NAME));
    calls.attach(to);
  }

  @Override public byte[] save() {
    Output to = new Output();
    to.number(LAYOUT);
    groups.save(to);
    return to.toBytes();
  }

  @Override public long due() {
    return NEVER;
  }

  @Override public Iterator<InternalRow> process(Iterator<InternalRow> rows, long watermark) {
    ChangedGroups changed = new ChangedGroups(calls, spec.keys().size());
    while (rows.hasNext()) {
      UnsafeRow row = (UnsafeRow) rows.next();
      int slot = groups.slot(key.apply(row));
      if (!changed.contains(slot)) {
        changed.add(slot, groups.isInState(slot));
      }
      add(slot, row);
    }
    changed.emit(groups.keys(), this::stays);
    groups.write();
    calls.write();
    List<DataType> types = Stream.concat(spec.calls().stream().map(Calls::type), Stream.of(DataTypes.LongType)).toList();
    return new OutputRows(changed.rows(), types);
  }

  private void add(int slot, UnsafeRow row) {
    long times = change < 0 ? 1 : row.getLong(change);
    counts[slot] += times;
    calls.add(slot, groups.keys().key(slot), row, times);
  }

  /**
   * Keeps a group that has rows, and drops another; returns whether it is kept. Its results have been read. Without keys, there is one
   * group, which has a result without rows, too.
   */
  private boolean stays(int slot) {
    if (change < 0 || counts[slot] != 0 || spec.keys().isEmpty()) {
      groups.touch(slot);
      return true;
    }
    groups.forget(slot);
    return false;
  }

  @Override public void grow(int slots) {
    calls.grow(slots);
    if (slots > counts.length) {
      counts = Arrays.copyOf(counts, slots * 2);
    }
  }

  @Override public void save(int slot, Output to) {
    if (change >= 0) {
      to.number(counts[slot]);
    }
    calls.save(slot, to);
  }

  @Override public void load(int slot, Input from) {
    if (change >= 0) {
      counts[slot] = from.number();
    }
    calls.load(slot, from);
  }

  @Override public void clear(int slot) {
    counts[slot] = 0;
    calls.clear(slot);
  }
}
