package io.rowtime.operator;

import io.rowtime.operator.calls.Aggregate;
import io.rowtime.operator.calls.Calls;
import io.rowtime.operator.calls.LagLead;
import io.rowtime.operator.calls.Ranks;
import io.rowtime.operator.spec.Call;
import io.rowtime.operator.spec.Order;
import io.rowtime.state.values.Chunk;
import io.rowtime.state.values.ValueType;
import io.rowtime.state.values.Values;
import java.util.List;

/** A call of a window: its aggregate function, applied to the rows that pass its FILTER. */
public final class AppliedCall {
  public final Aggregate aggregate;
  public final int output;
  private final int filter;
  private final ValueType type;
  public Values results;

  /** @param output the index of the call's result among the results of the operator */
  public AppliedCall(Aggregate aggregate, int filter, ValueType type, int output) {
    this.aggregate = aggregate;
    this.filter = filter;
    this.type = type;
    this.output = output;
  }

  /**
   * @param removes whether rows leave the frame
   * @param byTime whether rows of different times are never peers, whatever other columns order them
   * @param order the other columns that order rows
   */
  public static AppliedCall of(Call call, ProjectedColumns columns, int output, boolean removes, boolean byTime,
      List<Order> order) {
    ValueType result = ValueType.of(Calls.type(call));
    Aggregate aggregate = switch (call.function()) {
      case "ROW_NUMBER", "RANK", "DENSE_RANK" -> new Ranks(Ranks.Kind.valueOf(call.function()), byTime,
          order.stream().mapToInt(further -> columns.index(further.column())).toArray(), columns.types());
      case "LAG", "LEAD" -> lagOrLead(call, columns);
      default -> aggregate(call, columns, result, removes);
    };
    return new AppliedCall(aggregate, call.filter() == null ? -1 : columns.index(call.filter()), result, output);
  }

  private static Aggregate aggregate(Call call, ProjectedColumns columns, ValueType result, boolean removes) {
    int column = call.args().isEmpty() ? -1 : columns.index(call.args().get(0));
    return Calls.aggregate(call, column, column < 0 ? null : columns.type(column), result, removes);
  }

  private static Aggregate lagOrLead(Call call, ProjectedColumns columns) {
    int column = columns.index(call.args().get(0));
    ValueType type = columns.type(column);
    int offset = call.ignoreNulls() ? Math.toIntExact(call.number()) : 1;
    return new LagLead(column, type, offset, call.ignoreNulls(), call.args().size() < 2 ? -1 : columns.index(call.args().get(1)));
  }

  public void begin(int slots, int rows) {
    aggregate.grow(slots);
    results = new Values(type, rows);
  }

  public void add(int slot, Chunk from, int row) {
    if (filter < 0 || passes(from, row)) {
      aggregate.add(slot, from, row);
    }
  }

  public void remove(int slot, Chunk from, int row) {
    if (filter < 0 || passes(from, row)) {
      aggregate.remove(slot, from, row);
    }
  }

  private boolean passes(Chunk from, int row) {
    Values filters = from.columns[filter];
    return !filters.isNull(row) && filters.getLong(row) != 0;
  }
}
