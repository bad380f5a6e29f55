package io.rowtime.over;

import io.rowtime.over.values.Values;

/** ORDER BY of values. */
final class Orders {
  private Orders() {}

  static int compare(Spec.Order order, Values values, int left, int right) {
    if (values.isNull(left) || values.isNull(right)) {
      int nulls = Boolean.compare(values.isNull(right), values.isNull(left));
      return order.nullsFirst() ? nulls : -nulls;
    }
    int compared = values.compare(left, values, right);
    return order.descending() ? -compared : compared;
  }
}
