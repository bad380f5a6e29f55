package io.rowtime.over;

import io.rowtime.over.calls.Aggregate;
import io.rowtime.over.calls.Calls;
import io.rowtime.over.values.Chunk;
import io.rowtime.over.values.ValueType;
import io.rowtime.over.values.Values;

/** One call of a window: its aggregate, over the rows that its FILTER lets through. */
final class Applied {
  final Aggregate aggregate;
  final int output;
  private final int filter;
  private final ValueType type;
  Values results;

  /** @param output which of the results of the operator this is */
  Applied(Aggregate aggregate, int filter, ValueType type, int output) {
    this.aggregate = aggregate;
    this.filter = filter;
    this.type = type;
    this.output = output;
  }

  static Applied of(Spec.Call call, Narrow columns, int output, boolean removes) {
    int column = call.args().isEmpty() ? -1 : columns.index(call.args().get(0));
    ValueType result = ValueType.of(call.type());
    int number = call.constants().isEmpty() ? 1 : call.constants().get(0).asInt();
    Aggregate aggregate = Calls.aggregate(call.function(), column, column < 0 ? null : columns.type(column), result, number,
        call.distinct(), call.ignoreNulls(), removes);
    return new Applied(aggregate, call.filter() == null ? -1 : columns.index(call.filter()), result, output);
  }

  void begin(int slots, int rows) {
    aggregate.grow(slots);
    results = new Values(type, rows);
  }

  void add(int slot, Chunk from, int row) {
    if (filter < 0 || passes(from, row)) {
      aggregate.add(slot, from, row);
    }
  }

  void remove(int slot, Chunk from, int row) {
    if (filter < 0 || passes(from, row)) {
      aggregate.remove(slot, from, row);
    }
  }

  private boolean passes(Chunk from, int row) {
    Values filters = from.columns[filter];
    return !filters.isNull(row) && filters.getLong(row) != 0;
  }
}
