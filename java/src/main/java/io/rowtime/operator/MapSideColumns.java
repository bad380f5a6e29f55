package io.rowtime.operator;

import io.rowtime.state.MapSideBuffer;
import io.rowtime.state.values.ValueType;
import io.rowtime.state.values.Values;

/** Rows before a shuffle, of which fewer are to be sent. The values of a row come in one by one ({@link MapSideInput}). */
public abstract class MapSideColumns extends MapSideBuffer {
  private static final long serialVersionUID = 1L;

  protected MapSideColumns(String id) {
    super(id);
  }

  /** The column of the row that comes that has this number, and the place of the row in it. */
  protected abstract Values values(int column);

  protected abstract int place();

  /** Sets a column of the row that comes. */
  public final void set(int column, long value) {
    values(column).setLong(place(), value);
  }

  public final void set(int column, double value) {
    values(column).setLong(place(), ValueType.ordered(value));
  }

  public final void set(int column, Object value) {
    values(column).setInternal(place(), value);
  }

  public final void setNull(int column) {
    values(column).setNull(place());
  }
}
