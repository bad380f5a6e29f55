package io.rowtime.operator;

import io.rowtime.exchange.MapSideBuffer;
import io.rowtime.state.values.ValueType;
import io.rowtime.state.values.Values;

/**
 * Buffers rows before a shuffle, in order to send fewer. The values of a row are set one by one ({@link MapSideInput}).
 */
public abstract class MapSideColumns extends MapSideBuffer {
  private static final long serialVersionUID = 1L;

  protected MapSideColumns(String id) {
    super(id);
  }

  /** Returns the column with this number, in which the next row is at {@link #place}. */
  protected abstract Values values(int column);

  protected abstract int place();

  /** Sets a column of the next row. */
  public final void set(int column, long value) {
    values(column).setLong(place(), value);
  }

  public final void set(int column, double value) {
    values(column).setLong(place(), ValueType.toOrderedLong(value));
  }

  public final void set(int column, Object value) {
    values(column).setInternal(place(), value);
  }

  public final void setNull(int column) {
    values(column).setNull(place());
  }
}
