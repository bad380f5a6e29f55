package io.rowtime.operator;

import io.rowtime.operator.spec.Order;
import io.rowtime.state.values.Chunk;
import io.rowtime.state.values.Values;
import java.util.List;

/** Compares rows of a chunk by an ORDER BY. */
public final class RowOrder {
  private RowOrder() {}

  /** @param keys the chunk's column for each sort key */
  public static int compare(List<Order> order, int[] keys, Chunk chunk, int left, int right) {
    for (int i = 0; i < keys.length; i++) {
      int compared = compare(order.get(i), chunk.columns[keys[i]], left, right);
      if (compared != 0) {
        return compared;
      }
    }
    return 0;
  }

  private static int compare(Order order, Values values, int left, int right) {
    if (values.isNull(left) || values.isNull(right)) {
      int nulls = Boolean.compare(values.isNull(right), values.isNull(left));
      return order.nullsFirst() ? nulls : -nulls;
    }
    int compared = values.compare(left, values, right);
    return order.descending() ? -compared : compared;
  }
}
