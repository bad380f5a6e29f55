package io.rowtime.operator.spec;

import java.io.Serializable;
import java.math.BigDecimal;

/** One end of a frame. The offset is in microseconds, rows or units of the order key; null if the kind has none. */
public record Bound(Kind kind, @Nullable BigDecimal offset) implements Serializable {
  public enum Kind { UNBOUNDED_PRECEDING, PRECEDING, CURRENT_ROW, FOLLOWING, UNBOUNDED_FOLLOWING }

  public Bound {
    if ((kind == Kind.PRECEDING || kind == Kind.FOLLOWING) != (offset != null)) {
      throw new IllegalArgumentException("PRECEDING and FOLLOWING need an offset, and other bounds have none");
    }
  }

  /** Returns the position of the end relative to the current row: negative before it, 0 for the row itself. */
  public long distance() {
    return switch (kind) {
      case PRECEDING -> -offset.longValueExact();
      case FOLLOWING -> offset.longValueExact();
      default -> 0;
    };
  }

  public boolean isUnbounded() {
    return kind == Kind.UNBOUNDED_PRECEDING || kind == Kind.UNBOUNDED_FOLLOWING;
  }
}
