package io.rowtime.operator.group;

import io.rowtime.operator.AppliedCall;
import io.rowtime.operator.ProjectedColumns;
import io.rowtime.operator.calls.Calls;
import io.rowtime.operator.spec.Call;
import io.rowtime.state.States;
import io.rowtime.state.values.Chunk;
import io.rowtime.state.values.Input;
import io.rowtime.state.values.Output;
import io.rowtime.state.values.ValueType;
import io.rowtime.state.values.Values;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.StructType;

/**
 * The calls over groups whose rows come and go. Each keeps a few values per group; for DISTINCT, the state also says how often a group
 * has a value ({@link ValueCounts}), or, if its life ends some time, which ones it has ({@link LifeValues});
 * for MIN and MAX of rows that can be taken back, in order of the values ({@link SortedCounts}).
 */
final class UpdatingCalls {
  private static final Set<String> EXTREMES = Set.of("MIN", "MAX");

  private final ProjectedColumns arguments;
  /** Columns with arrays of values, which {@link PartialAggregate} makes for DISTINCT. */
  private final ProjectedColumns arrays;
  private final List<AppliedCall> all = new ArrayList<>();
  private final List<AppliedCall> ofRows = new ArrayList<>();
  private final List<Distinct> distinct = new ArrayList<>();
  private final List<Sorted> sorted = new ArrayList<>();
  private final List<Extreme> extremes = new ArrayList<>();
  private final boolean lives;
  private final Chunk row;
  private final Chunk element;

  /** The calls over the distinct values of one column. */
  private record Distinct(int column, boolean isArray, DistinctValues values, List<AppliedCall> calls) {}

  /** The values of one column in order. */
  private record Sorted(int column, SortedCounts counts) {}

  /**
   * @param retracts whether rows are taken back
   * @param lives whether groups end, and may begin anew
   */
  UpdatingCalls(List<Call> asked, StructType schema, boolean retracts, boolean lives) {
    this.lives = lives;
    arguments = new ProjectedColumns(schema);
    arrays = new ProjectedColumns(schema);
    for (Call call : asked) {
      if (retracts && EXTREMES.contains(call.function())) {
        addExtreme(call);
        continue;
      }
      boolean once = call.distinct() && Calls.countsRepeats(call.function());
      if (!Calls.isSmall(call.function(), false) || once && call.filter() != null) {
        throw new IllegalArgumentException(call.function() + " needs the rows of a group again");
      }
      boolean isArray = once && schema.apply(call.args().get(0)).dataType() instanceof ArrayType;
      ProjectedColumns columns = isArray ? arrays : arguments;
      AppliedCall applied = AppliedCall.of(once ? call.withRepeats() : call, columns, all.size(), false, true, List.of());
      all.add(applied);
      if (once) {
        distinct(columns.index(call.args().get(0)), isArray).calls.add(applied);
      } else {
        ofRows.add(applied);
      }
    }
    row = new Chunk(arguments.types(), 1);
    element = new Chunk(arrays.types(), 1);
  }

  private void addExtreme(Call call) {
    if (call.filter() != null) {
      throw new IllegalArgumentException(call.function() + " with a filter");
    }
    int column = arguments.index(call.args().get(0));
    Sorted values = sorted.stream().filter(each -> each.column == column).findAny().orElseGet(() -> {
      sorted.add(new Sorted(column, new SortedCounts(sorted.size(), arguments.type(column))));
      return sorted.get(sorted.size() - 1);
    });
    Extreme extreme = new Extreme(values.counts, arguments.type(column), call.function().equals("MAX"));
    extremes.add(extreme);
    all.add(new AppliedCall(extreme, -1, ValueType.of(Calls.type(call)), all.size()));
  }

  private Distinct distinct(int column, boolean isArray) {
    return distinct.stream().filter(each -> each.column == column && each.isArray == isArray).findAny().orElseGet(() -> {
      distinct.add(new Distinct(column, isArray, lives ? new LifeValues(distinct.size()) : new ValueCounts(distinct.size()), new ArrayList<>()));
      return distinct.get(distinct.size() - 1);
    });
  }

  void declare(States to) {
    if (!distinct.isEmpty()) {
      to.entries("values");
    }
    if (!sorted.isEmpty()) {
      to.entries("sorted");
    }
  }

  /** Says where the state is; before the first row of a batch. */
  void attach(States to) {
    distinct.forEach(each -> each.values.attach(to.entries("values")));
    sorted.forEach(each -> each.counts.attach(to.entries("sorted")));
  }

  /**
   * Adds a row to its group, or takes it back.
   *
   * @param key the key of the group
   * @param times how often the row is added; below 0 if it is taken back
   */
  void add(int slot, byte[] key, UnsafeRow given, long times) {
    arguments.read(given, row, 0);
    for (AppliedCall call : ofRows) {
      for (long i = 0; i < times; i++) {
        call.add(slot, row, 0);
      }
      for (long i = times; i < 0; i++) {
        call.remove(slot, row, 0);
      }
    }
    for (Sorted each : sorted) {
      if (!row.columns[each.column].isNull(0)) {
        each.counts.add(key, row.columns[each.column], 0, times);
      }
    }
    for (Distinct each : distinct) {
      if (each.isArray) {
        ArrayData values = arrays.elements(each.column, given);
        for (int i = 0; i < values.numElements(); i++) {
          element.columns[each.column].read(0, values, i);
          addValue(each, slot, key, element, times);
        }
      } else if (!row.columns[each.column].isNull(0)) {
        addValue(each, slot, key, row, times);
      }
    }
  }

  private static void addValue(Distinct distinct, int slot, byte[] key, Chunk from, long times) {
    int change = distinct.values.add(slot, key, from.columns[distinct.column], 0, times);
    for (AppliedCall call : distinct.calls) {
      if (change > 0) {
        call.aggregate.add(slot, from, 0);
      } else if (change < 0) {
        call.aggregate.remove(slot, from, 0);
      }
    }
  }

  /** Writes to the state how often groups have values. */
  void write() {
    distinct.forEach(each -> each.values.write());
    sorted.forEach(each -> each.counts.write());
  }

  void grow(int slots) {
    all.forEach(call -> call.aggregate.grow(slots));
    distinct.forEach(each -> each.values.grow(slots));
  }

  void save(int slot, Output to) {
    all.forEach(call -> call.aggregate.save(slot, to));
    distinct.forEach(each -> each.values.save(slot, to));
  }

  void load(int slot, Input from) {
    all.forEach(call -> call.aggregate.load(slot, from));
    distinct.forEach(each -> each.values.load(slot, from));
  }

  /** Removes the group of a slot from memory. */
  void clear(int slot) {
    all.forEach(call -> call.aggregate.clear(slot));
    distinct.forEach(each -> each.values.clear(slot));
  }

  /** Ends the life of a group: nothing of it is left, in memory or in the state. */
  void end(int slot, byte[] key) {
    distinct.forEach(each -> each.values.end(slot, key));
    clear(slot);
  }

  /** Returns growing columns for results, which {@link #result} sets from now on. */
  Values[] begin() {
    all.forEach(call -> call.begin(0, 0));
    return all.stream().map(call -> call.results).toArray(Values[]::new);
  }

  /** Looks up what {@link #result} needs of a group, after its last row in a batch. */
  void refresh(int slot, byte[] key) {
    extremes.forEach(each -> each.refresh(slot, key));
  }

  void result(int slot, int at) {
    all.forEach(call -> call.aggregate.result(slot, null, 0, call.results, at));
  }
}
