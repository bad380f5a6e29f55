package io.rowtime.operator.rank;

import io.rowtime.operator.spec.Order;
import io.rowtime.state.values.ValueType;
import io.rowtime.state.values.Values;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.types.StructType;

/** The order of rows, given as their bytes: by ORDER BY, then by ROWTIME, then by all columns, so that only equal rows are peers of all. */
public final class RankOrder implements Comparator<byte[]> {
  private final List<Order> keys;
  private final int[] ordinals;
  /** By key: room for the values of two rows. */
  private final List<Values> values = new ArrayList<>();
  private final RowContent content;
  private final UnsafeRow left;
  private final UnsafeRow right;

  /**
   * @param order the keys of ORDER BY
   * @param time the column with ROWTIME; null if there is none
   * @param schema the columns of the rows
   */
  public RankOrder(List<Order> order, String time, StructType schema) {
    keys = new ArrayList<>(order);
    if (time != null) {
      keys.add(new Order(time, false, true));
    }
    ordinals = keys.stream().mapToInt(key -> schema.fieldIndex(key.column())).toArray();
    for (int ordinal : ordinals) {
      values.add(new Values(ValueType.of(schema.apply(ordinal).dataType()), 2));
    }
    content = new RowContent(schema);
    left = new UnsafeRow(schema.length());
    right = new UnsafeRow(schema.length());
  }

  @Override public int compare(byte[] one, byte[] other) {
    int compared = compare(one, other, ordinals.length);
    return compared != 0 ? compared : content.compare(left, right);
  }

  /** Compares rows by the first keys, which are those of ORDER BY. */
  int compare(byte[] one, byte[] other, int count) {
    left.pointTo(one, one.length);
    right.pointTo(other, other.length);
    for (int i = 0; i < count; i++) {
      Values column = values.get(i);
      column.read(0, left, ordinals[i]);
      column.read(1, right, ordinals[i]);
      int compared = compare(keys.get(i), column);
      if (compared != 0) {
        return compared;
      }
    }
    return 0;
  }

  private static int compare(Order order, Values values) {
    if (values.isNull(0) || values.isNull(1)) {
      int nulls = Boolean.compare(values.isNull(1), values.isNull(0));
      return order.nullsFirst() ? nulls : -nulls;
    }
    int compared = values.compare(0, values, 1);
    return order.descending() ? -compared : compared;
  }
}
