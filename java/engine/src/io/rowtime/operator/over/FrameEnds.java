package io.rowtime.operator.over;

import io.rowtime.operator.ProjectedColumns;
import io.rowtime.operator.RowOrder;
import io.rowtime.operator.spec.Bound;
import io.rowtime.operator.spec.Window;
import io.rowtime.state.values.Chunk;
import io.rowtime.state.values.ValueType;
import io.rowtime.state.values.Values;
import java.math.BigDecimal;
import java.math.BigInteger;

/** The two ends of a frame in a sorted partition, defined by rows or by the distance in the first ORDER BY key. */
final class FrameEnds {
  private final Window window;
  private final int[] keys;
  private final ValueType type;

  FrameEnds(Window window, int[] keys, ProjectedColumns columns) {
    this.window = window;
    this.keys = keys;
    this.type = keys.length == 0 ? null : columns.type(keys[0]);
    if (!window.rows() && (hasOffset(window.lower()) || hasOffset(window.upper())) && keys.length == 0) {
      throw new IllegalArgumentException("A RANGE with an offset needs ORDER BY: " + window);
    }
  }

  private static boolean hasOffset(Bound bound) {
    return bound.offset() != null && bound.offset().signum() != 0;
  }

  /** @param sorted the rows of the chunk in order; {@code row} and {@code current} are positions in it */
  boolean isBelowUpper(Chunk chunk, int[] sorted, int row, int current) {
    Bound upper = window.upper();
    return switch (upper.kind()) {
      case UNBOUNDED_FOLLOWING -> true;
      case UNBOUNDED_PRECEDING -> false;
      // In a RANGE too, this includes only those peers that arrived earlier.
      case CURRENT_ROW -> row <= current;
      default -> window.rows() ? row - current <= upper.distance() : distance(chunk, sorted, row, current, upper) <= 0;
    };
  }

  boolean isAboveLower(Chunk chunk, int[] sorted, int row, int current) {
    Bound lower = window.lower();
    return switch (lower.kind()) {
      case UNBOUNDED_PRECEDING -> true;
      case UNBOUNDED_FOLLOWING -> false;
      default -> window.rows() ? row - current >= lower.distance() : distance(chunk, sorted, row, current, lower) >= 0;
    };
  }

  /** Returns on which side of the end a row is, for the current row: negative before it, 0 at it, positive after it. */
  private int distance(Chunk chunk, int[] sorted, int row, int current, Bound end) {
    if (!hasOffset(end)) {
      boolean peers = RowOrder.compare(window.order(), keys, chunk, sorted[row], sorted[current]) == 0;
      return peers ? 0 : Integer.compare(row, current);
    }
    Values values = chunk.columns[keys[0]];
    boolean rowIsNull = values.isNull(sorted[row]);
    if (rowIsNull || values.isNull(sorted[current])) {
      // NULLs are peers of each other, and at no distance from any other value.
      return rowIsNull && values.isNull(sorted[current]) ? 0 : Integer.compare(row, current);
    }
    boolean descending = window.order().get(0).descending();
    BigDecimal offset = end.kind() == Bound.Kind.PRECEDING == descending ? end.offset() : end.offset().negate();
    int compared = compareShifted(values, sorted[row], sorted[current], offset);
    return descending ? -compared : compared;
  }

  private int compareShifted(Values values, int left, int right, BigDecimal offset) {
    if (type.isFloating()) {
      double end = ValueType.number(values.getLong(right)) + offset.doubleValue();
      return Double.compare(ValueType.number(values.getLong(left)), end);
    }
    return exact(values, left).compareTo(exact(values, right).add(offset));
  }

  private BigDecimal exact(Values values, int row) {
    return type.isObject() ? new BigDecimal((BigInteger) values.getObject(row), type.scale())
        : BigDecimal.valueOf(values.getLong(row), type.scale());
  }
}
