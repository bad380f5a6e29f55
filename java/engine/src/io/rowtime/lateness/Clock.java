package io.rowtime.lateness;

import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.util.TypeUtils;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DayTimeIntervalType;
import org.apache.spark.sql.types.LongType;
import org.apache.spark.sql.types.TimestampType;
import scala.math.Ordering;

/**
 * The progress of one column: the greatest value seen, or the least if the column decreases.
 *
 * <p>Values that Spark stores as {@code long} have separate methods, because each row of a stream is processed here.
 */
abstract class Clock {
  /** Returns whether values of the type use the methods for {@code long}. */
  static boolean isLong(DataType type) {
    return type instanceof TimestampType || type instanceof LongType || type instanceof DayTimeIntervalType;
  }

  static Clock of(DataType type, boolean decreasing) {
    return isLong(type) ? new OfLong(decreasing) : new OfAny(type, decreasing);
  }

  /** Returns whether the value is behind this clock. */
  abstract boolean isPast(Object value);

  /** Does the same for a value that Spark stores as {@code long}. */
  boolean isPast(long value) {
    return isPast((Object) value);
  }

  /** Advances the clock to a value that is ahead. */
  abstract void move(Object value);

  /** Does the same for a value that Spark stores as {@code long}. */
  void move(long value) {
    move((Object) value);
  }

  /** Advances the clock to a field's value, unless it is NULL or behind. */
  abstract void move(InternalRow row, int field);

  /** Returns the value in Spark's form, or null before the first. */
  abstract Object get();

  private static final class OfLong extends Clock {
    private final boolean decreasing;
    private boolean known;
    private long at;

    OfLong(boolean decreasing) {
      this.decreasing = decreasing;
    }

    @Override boolean isPast(long value) {
      return known && (decreasing ? value > at : value < at);
    }

    @Override boolean isPast(Object value) {
      return isPast((long) value);
    }

    @Override void move(long value) {
      if (!known || (decreasing ? value < at : value > at)) {
        at = value;
        known = true;
      }
    }

    @Override void move(Object value) {
      move((long) value);
    }

    @Override void move(InternalRow row, int field) {
      if (!row.isNullAt(field)) {
        move(row.getLong(field));
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

    @Override boolean isPast(Object value) {
      if (at == null) {
        return false;
      }
      int sign = order.compare(value, at);
      return decreasing ? sign > 0 : sign < 0;
    }

    @Override void move(Object value) {
      if (!isPast(value)) {
        at = InternalRow.copyValue(value);
      }
    }

    @Override void move(InternalRow row, int field) {
      if (!row.isNullAt(field)) {
        move(row.get(field, type));
      }
    }

    @Override Object get() {
      return at;
    }
  }
}
