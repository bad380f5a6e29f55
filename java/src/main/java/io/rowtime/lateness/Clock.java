package io.rowtime.lateness;

import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.util.TypeUtils;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DayTimeIntervalType;
import org.apache.spark.sql.types.LongType;
import org.apache.spark.sql.types.TimestampType;
import scala.math.Ordering;

/** How far one column has come: the greatest of some values, or the least where the column falls. */
abstract class Clock {
  static Clock of(DataType type, boolean decreasing) {
    boolean number = type instanceof TimestampType || type instanceof LongType || type instanceof DayTimeIntervalType;
    return number ? new OfLong(decreasing) : new OfAny(type, decreasing);
  }

  /** Whether the row's value lies behind this clock; NULL never does. */
  abstract boolean isPast(InternalRow row, int value);

  /** Takes the row's value into account, unless it is NULL. */
  abstract void move(InternalRow row, int value);

  /** The value in Spark's form, or null before the first. */
  abstract Object get();

  private static final class OfLong extends Clock {
    private final boolean decreasing;
    private boolean known;
    private long at;

    OfLong(boolean decreasing) {
      this.decreasing = decreasing;
    }

    @Override boolean isPast(InternalRow row, int value) {
      if (!known || row.isNullAt(value)) {
        return false;
      }
      return decreasing ? row.getLong(value) > at : row.getLong(value) < at;
    }

    @Override void move(InternalRow row, int value) {
      if (!row.isNullAt(value) && !isPast(row, value)) {
        at = row.getLong(value);
        known = true;
      }
    }

    @Override Object get() {
      return known ? at : null;
    }
  }

  private static final class OfAny extends Clock {
    private final DataType type;
    private final boolean decreasing;
    private final Ordering<Object> order;
    private Object at;

    OfAny(DataType type, boolean decreasing) {
      this.type = type;
      this.decreasing = decreasing;
      this.order = TypeUtils.getInterpretedOrdering(type);
    }

    @Override boolean isPast(InternalRow row, int value) {
      if (at == null || row.isNullAt(value)) {
        return false;
      }
      int sign = order.compare(row.get(value, type), at);
      return decreasing ? sign > 0 : sign < 0;
    }

    @Override void move(InternalRow row, int value) {
      if (!row.isNullAt(value) && !isPast(row, value)) {
        at = InternalRow.copyValue(row.get(value, type));
      }
    }

    @Override Object get() {
      return at;
    }
  }
}
