package io.rowtime.operator.rank;

import io.rowtime.operator.spec.Order;
import io.rowtime.state.values.ValueType;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.types.StructType;

/** The order of rows, given as their bytes: by ORDER BY, then by ROWTIME, then by all columns, so that only equal rows are peers of all. */
public final class RankOrder implements Comparator<byte[]> {
  private record Key(ValueType type, int ordinal, boolean descending, boolean nullsFirst) {
    Key(Order order, StructType schema) {
      this(ValueType.of(schema.apply(order.column()).dataType()), schema.fieldIndex(order.column()), order.descending(), order.nullsFirst());
    }

    int compare(UnsafeRow one, UnsafeRow other) {
      boolean oneNull = one.isNullAt(ordinal);
      boolean otherNull = other.isNullAt(ordinal);
      if (oneNull || otherNull) {
        int nulls = Boolean.compare(otherNull, oneNull);
        return nullsFirst ? nulls : -nulls;
      }
      int compared = type.compare(one, other, ordinal);
      return descending ? -compared : compared;
    }
  }

  private final Key[] keys;
  private final RowContent content;
  private final UnsafeRow left;
  private final UnsafeRow right;

  /**
   * @param order the keys of ORDER BY
   * @param time the column with ROWTIME; null if there is none
   * @param schema the columns of the rows
   */
  public RankOrder(List<Order> order, String time, StructType schema) {
    List<Order> all = new ArrayList<>(order);
    if (time != null) {
      all.add(new Order(time, false, true));
    }
    keys = all.stream().map(each -> new Key(each, schema)).toArray(Key[]::new);
    content = new RowContent(schema);
    left = new UnsafeRow(schema.length());
    right = new UnsafeRow(schema.length());
  }

  @Override public int compare(byte[] one, byte[] other) {
    left.pointTo(one, one.length);
    return compare(left, other);
  }

  /** Compares a row with the content of another one. */
  int compare(UnsafeRow one, byte[] other) {
    right.pointTo(other, other.length);
    int compared = compare(one, right, keys.length);
    return compared != 0 ? compared : content.compare(one, right);
  }

  /** Compares rows by the first keys, which are those of ORDER BY. */
  int compare(byte[] one, byte[] other, int count) {
    left.pointTo(one, one.length);
    right.pointTo(other, other.length);
    return compare(left, right, count);
  }

  private int compare(UnsafeRow one, UnsafeRow other, int count) {
    for (int i = 0; i < count; i++) {
      int compared = keys[i].compare(one, other);
      if (compared != 0) {
        return compared;
      }
    }
    return 0;
  }
}
