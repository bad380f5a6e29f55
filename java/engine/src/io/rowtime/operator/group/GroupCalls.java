package io.rowtime.operator.group;

import io.rowtime.operator.AppliedCall;
import io.rowtime.operator.ProjectedColumns;
import io.rowtime.operator.calls.Calls;
import io.rowtime.operator.spec.Call;
import io.rowtime.state.StoredSlots;
import io.rowtime.state.values.Chunk;
import io.rowtime.state.values.Input;
import io.rowtime.state.values.Output;
import io.rowtime.state.values.ValueSets;
import io.rowtime.state.values.ValueType;
import io.rowtime.state.values.Values;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.StructType;

/**
 * The calls over groups, which rows never leave. For some calls a few values of state are enough, which can be saved;
 * the others need rows again after a restart: all rows, or, for DISTINCT, the first row with each value.
 */
final class GroupCalls implements StoredSlots.Kept {
  private final ProjectedColumns arguments;
  private final List<AppliedCall> small = new ArrayList<>();
  private final ProjectedColumns kept;
  private final List<AppliedCall> whole = new ArrayList<>();
  private final List<Distinct> distinct = new ArrayList<>();
  private final List<AppliedCall> all = new ArrayList<>();
  private final Chunk one;
  /** Whether rows contain arrays of the distinct values of DISTINCT calls, see {@link PartialAggregate}. */
  private final boolean combined;

  /** The calls over the distinct values of one column. */
  private static final class Distinct {
    final int column;
    final ValueSets values;
    final List<AppliedCall> calls = new ArrayList<>();

    Distinct(int column, ValueType type) {
      this.column = column;
      this.values = new ValueSets(type);
    }

    /** Adds a row; returns whether its value is new to the group. */
    boolean add(int slot, Chunk from, int row) {
      Values given = from.columns[column];
      if (given.isNull(row) || !values.add(slot, given, row)) {
        return false;
      }
      for (AppliedCall call : calls) {
        call.aggregate.add(slot, from, row);
      }
      return true;
    }
  }

  GroupCalls(List<Call> asked, StructType schema) {
    arguments = new ProjectedColumns(schema);
    kept = new ProjectedColumns(schema);
    for (int i = 0; i < asked.size(); i++) {
      Call call = asked.get(i);
      AppliedCall applied;
      if (call.distinct() && Calls.countsRepeats(call.function())) {
        applied = AppliedCall.of(call.withRepeats(), kept, i, false, true, List.of());
        distinct(kept.index(call.args().get(0))).calls.add(applied);
      } else if (Calls.isSmall(call.function(), call.distinct())) {
        applied = AppliedCall.of(call, arguments, i, false, true, List.of());
        small.add(applied);
      } else {
        applied = AppliedCall.of(call, kept, i, false, true, List.of());
        whole.add(applied);
      }
      all.add(applied);
    }
    one = new Chunk(arguments.types(), 1);
    combined = asked.stream().flatMap(call -> call.args().stream()).anyMatch(arg -> schema.apply(arg).dataType() instanceof ArrayType);
  }

  private Distinct distinct(int column) {
    return distinct.stream().filter(each -> each.column == column).findAny().orElseGet(() -> {
      distinct.add(new Distinct(column, kept.type(column)));
      return distinct.get(distinct.size() - 1);
    });
  }

  /** Returns whether a group has saved state besides its rows. */
  boolean savesValues() {
    return !small.isEmpty();
  }

  /** Returns whether rows must be kept. */
  boolean keepsRows() {
    return !whole.isEmpty() || !distinct.isEmpty();
  }

  /** Returns the columns of the rows that are kept. */
  ValueType[] types() {
    return kept.types();
  }

  @Override public void grow(int slots) {
    all.forEach(call -> call.aggregate.grow(slots));
  }

  /**
   * Adds a row to its group, and to {@code rows} if the group {@code stays} and the row contributes to its later
   * results.
   */
  void add(int slot, UnsafeRow row, long closes, boolean stays, Chunk rows) {
    if (savesValues()) {
      arguments.read(row, one, 0);
      for (AppliedCall call : small) {
        call.add(slot, one, 0);
      }
    }
    if (combined) {
      distinct.forEach(each -> addAll(each, slot, row, closes, stays, rows));
    } else if (keepsRows()) {
      int at = rows.add(closes, slot);
      kept.read(row, rows, at);
      if (!addKept(slot, rows, at) || !stays) {
        rows.rows--;
      }
    }
  }

  /** Adds each value of an array of distinct values, as a row without the other columns. */
  private void addAll(Distinct each, int slot, UnsafeRow row, long closes, boolean stays, Chunk rows) {
    ArrayData values = kept.elements(each.column, row);
    for (int i = 0; i < values.numElements(); i++) {
      int at = rows.add(closes, slot);
      for (int column = 0; column < rows.columns.length; column++) {
        if (column == each.column) {
          rows.columns[column].read(at, values, i);
        } else {
          rows.columns[column].setNull(at);
        }
      }
      if (!each.add(slot, rows, at) || !stays) {
        rows.rows--;
      }
    }
  }

  /** Adds a row that has been kept, or may be; returns whether it contributes to later results. */
  boolean addKept(int slot, Chunk from, int row) {
    boolean brings = !whole.isEmpty();
    for (AppliedCall call : whole) {
      call.add(slot, from, row);
    }
    for (Distinct each : distinct) {
      brings |= each.add(slot, from, row);
    }
    return brings;
  }

  @Override public void save(int slot, Output to) {
    small.forEach(call -> call.aggregate.save(slot, to));
  }

  @Override public void load(int slot, Input from) {
    small.forEach(call -> call.aggregate.load(slot, from));
  }

  @Override public void clear(int slot) {
    all.forEach(call -> call.aggregate.clear(slot));
    distinct.forEach(each -> each.values.clear(slot));
  }

  /** Returns growing columns for the results of a batch. */
  Values[] begin(int slots) {
    Values[] results = new Values[all.size()];
    for (AppliedCall call : all) {
      call.begin(slots, 0);
      results[call.output] = call.results;
    }
    return results;
  }

  void result(int slot, int at) {
    all.forEach(call -> call.aggregate.result(slot, null, 0, call.results, at));
  }
}
