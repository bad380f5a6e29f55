package io.rowtime.api;

import java.time.Instant;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Objects;

/** An element that a {@link SourceAdapter} emits: a row, or a rowtime bound. */
public sealed interface StreamElement {
  /**
   * A row.
   *
   * @param values the values in the order of the columns, of the classes that {@link InputRow} lists; null for NULL. A
   *     number may be of any class if the column's type has its value; digits after a DECIMAL's scale are rounded, and
   *     those of a time after its precision are cut. A value that does not fit ends the query
   */
  record Row(List<Object> values) implements StreamElement {
    public Row {
      Objects.requireNonNull(values, "a row has no values");
    }
  }

  /** A rowtime bound: no later row is earlier than {@code time}. It advances the bound of the stream even without rows. */
  record Bound(Instant time) implements StreamElement {
    public Bound {
      Objects.requireNonNull(time, "a bound has no time");
    }
  }

  /** Returns a {@link Row}. */
  static StreamElement row(Object... values) {
    return new Row(Collections.unmodifiableList(Arrays.asList(values.clone())));
  }

  /** Returns a {@link Bound}. */
  static StreamElement bound(Instant time) {
    return new Bound(time);
  }
}
