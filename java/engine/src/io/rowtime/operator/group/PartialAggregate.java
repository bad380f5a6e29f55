package io.rowtime.operator.group;

import io.rowtime.exchange.MapSideOutput;
import io.rowtime.operator.AppliedCall;
import io.rowtime.operator.KeyEquality;
import io.rowtime.operator.MapSideColumns;
import io.rowtime.operator.ProjectedColumns;
import io.rowtime.operator.calls.Calls;
import io.rowtime.operator.spec.Call;
import io.rowtime.state.values.Chunk;
import io.rowtime.state.values.KeySlots;
import io.rowtime.state.values.ValueSets;
import io.rowtime.state.values.Values;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Set;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.JoinedRow;
import org.apache.spark.sql.catalyst.expressions.SpecificInternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.StructType;
import scala.jdk.javaapi.CollectionConverters;

/**
 * A partial aggregation: combines the rows of a task that are equal in some columns, before the shuffle. The result of
 * a call over such rows replaces the call's argument, and the values of a column that DISTINCT calls read become an
 * array of distinct values. For calls whose results can be merged afterwards.
 *
 * <p>The code that Spark generates passes in the values of each row ({@link PartialAggregateInput}); each task has its
 * own copy. The combined rows are read at the point where the rows would have been ({@link MapSideOutput}). If hardly
 * any rows are equal, they pass through: unchanged, or a few at a time if arrays are needed.
 */
public final class PartialAggregate extends MapSideColumns {
  private static final long serialVersionUID = 1L;

  /** The maximum number of different rows, and values of sets, in memory; tests use less. */
  static int most = 1 << 17;
  /** The maximum number if combining does not pay off. */
  static int few = 1 << 10;
  /** The number of rows after which it is decided whether combining pays off. */
  static int tried = 1 << 15;

  private final List<Call> combine;
  private final List<String> keyNames;
  private final List<String> sets;
  private final StructType input;
  private transient Taken rows;

  /**
   * @param id the id of the operator, which must be unique
   * @param calls the calls over the groups; DISTINCT ones get each value once
   * @param combine the calls that combine rows
   * @param schema the columns of the rows to group
   */
  PartialAggregate(String id, List<Call> calls, List<Call> combine, StructType schema) {
    super(id);
    Set<String> distinct = new LinkedHashSet<>();
    calls.stream().filter(call -> call.distinct() && Calls.countsRepeats(call.function())).forEach(call -> distinct.addAll(call.args()));
    Set<String> others = new LinkedHashSet<>();
    combine.forEach(call -> others.addAll(call.args()));
    others.addAll(distinct);
    this.combine = combine;
    keyNames = Arrays.stream(schema.fieldNames()).filter(name -> !others.contains(name)).toList();
    sets = List.copyOf(distinct);
    StructType columns = new StructType();
    for (String name : keyNames) {
      columns = columns.add(schema.apply(name));
    }
    for (String name : others) {
      columns = columns.add(schema.apply(name));
    }
    input = columns;
  }

  /** Returns the columns that it receives, in order: those of calls and sets are last. */
  StructType input() {
    return input;
  }

  /** Returns the first columns: rows that are equal in them are combined. */
  int keys() {
    return keyNames.size();
  }

  private StructType keySchema() {
    return new StructType(Arrays.copyOf(input.fields(), keys()));
  }

  /** Returns the output columns: the same, with arrays for columns that DISTINCT calls read. */
  StructType output() {
    StructType columns = new StructType();
    for (int i = 0; i < input.length(); i++) {
      DataType type = input.apply(i).dataType();
      columns = sets.contains(input.apply(i).name())
          ? columns.add(input.apply(i).name(), new ArrayType(type, false)) : columns.add(input.apply(i));
    }
    return columns;
  }

  /** Returns whether the next row passes through unchanged. Must be called first for each row. */
  public boolean letsThrough() {
    if (rows == null) {
      rows = new Taken();
      register();
    }
    return rows.letsThrough();
  }

  /** Columns are numbered from the first one that is not a key. */
  @Override protected Values values(int column) {
    return rows.one.columns[column];
  }

  @Override protected int place() {
    return 0;
  }

  /** Adds the row whose columns have been set; returns whether there is no room for another. */
  public boolean take(UnsafeRow key) {
    return rows.take(key);
  }

  @Override public boolean isFull() {
    return rows.full;
  }

  @Override public Iterator<InternalRow> release() {
    return rows.release();
  }

  private final class Taken {
    private final ProjectedColumns columns = new ProjectedColumns(input);
    private final List<AppliedCall> calls = new ArrayList<>();
    private final int[] setColumns;
    private final ValueSets[] values;
    private final Chunk one;
    private final KeyEquality repeats = new KeyEquality(keySchema());
    private final UnsafeRow keyRow = new UnsafeRow(keyNames.size());
    private final SpecificInternalRow results;
    private final JoinedRow joined;
    private KeySlots keys;
    /** The slot of the latest row, or -1. */
    private int last;
    private int size;
    private long taken;
    private boolean passes;
    private boolean full;

    Taken() {
      for (int i = keyNames.size(); i < input.length(); i++) {
        columns.index(input.apply(i).name());
      }
      for (Call call : combine) {
        // For calls that count rows, each row contributes 1, whatever its values.
        Call read = call.function().equals("COUNT") ? call.ofRows() : call;
        calls.add(AppliedCall.of(read, columns, calls.size(), false, true, List.of()));
      }
      setColumns = sets.stream().mapToInt(columns::index).toArray();
      values = new ValueSets[setColumns.length];
      one = new Chunk(columns.types(), 1);
      List<DataType> types = Arrays.stream(output().fields()).skip(keyNames.size()).map(field -> field.dataType()).toList();
      results = new SpecificInternalRow(CollectionConverters.asScala(types).toSeq());
      joined = new JoinedRow(keyRow, results);
      begin();
    }

    private void begin() {
      keys = new KeySlots();
      last = -1;
      size = 0;
      full = false;
      Arrays.setAll(values, i -> new ValueSets(columns.type(setColumns[i])));
    }

    boolean letsThrough() {
      return passes && sets.isEmpty();
    }

    boolean take(UnsafeRow key) {
      int slot = slot(key);
      for (AppliedCall call : calls) {
        call.aggregate.add(slot, one, 0);
      }
      for (int i = 0; i < values.length; i++) {
        if (!one.columns[setColumns[i]].isNull(0) && values[i].add(slot, one.columns[setColumns[i]], 0)) {
          size++;
        }
      }
      if (++taken == tried && keys.slots() > taken / 4 * 3) {
        passes = true;
        full = true;
      }
      full |= size >= (passes ? few : most);
      return full;
    }

    private int slot(UnsafeRow key) {
      if (last >= 0 && repeats.isLike(key, keys.key(last))) {
        return last;
      }
      last = keys.slot(key);
      if (keys.created()) {
        calls.forEach(call -> call.aggregate.grow(keys.slots()));
        size++;
      }
      return last;
    }

    Iterator<InternalRow> release() {
      calls.forEach(call -> call.begin(keys.slots(), 1));
      int count = keys.slots();
      return new Iterator<>() {
        private int next;
        private boolean ended;

        @Override public boolean hasNext() {
          if (next == count && !ended) {
            ended = true;
            for (int slot = 0; slot < count; slot++) {
              int gone = slot;
              calls.forEach(call -> call.aggregate.clear(gone));
            }
            begin();
          }
          return next < count;
        }

        @Override public InternalRow next() {
          if (!hasNext()) {
            throw new NoSuchElementException();
          }
          return result(next++);
        }
      };
    }

    private InternalRow result(int slot) {
      byte[] bytes = keys.key(slot);
      keyRow.pointTo(bytes, bytes.length);
      for (AppliedCall call : calls) {
        call.aggregate.result(slot, null, 0, call.results, 0);
        call.results.write(0, results, call.output);
      }
      for (int i = 0; i < values.length; i++) {
        results.update(calls.size() + i, values[i].toArray(slot));
      }
      return joined;
    }
  }
}
