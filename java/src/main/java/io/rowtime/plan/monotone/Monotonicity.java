package io.rowtime.plan.monotone;

/** How the values of a column or expression follow one another as rows arrive. */
public enum Monotonicity {
  STRICTLY_INCREASING, INCREASING, STRICTLY_DECREASING, DECREASING, CONSTANT, NOT_MONOTONIC;

  public boolean increasing() {
    return this == STRICTLY_INCREASING || this == INCREASING;
  }

  public boolean decreasing() {
    return this == STRICTLY_DECREASING || this == DECREASING;
  }

  /** Whether a query can make progress by it: it goes one way, and does move. */
  public boolean makesProgress() {
    return increasing() || decreasing();
  }

  /** Of the negated value. */
  public Monotonicity reverse() {
    return switch (this) {
      case STRICTLY_INCREASING -> STRICTLY_DECREASING;
      case INCREASING -> DECREASING;
      case STRICTLY_DECREASING -> STRICTLY_INCREASING;
      case DECREASING -> INCREASING;
      default -> this;
    };
  }

  /** Of a value that may repeat where this one moves on. */
  public Monotonicity unstrict() {
    return switch (this) {
      case STRICTLY_INCREASING -> INCREASING;
      case STRICTLY_DECREASING -> DECREASING;
      default -> this;
    };
  }

  /** Of the sum of two such values. */
  public Monotonicity plus(Monotonicity other) {
    if (this == CONSTANT) {
      return other;
    }
    if (other == CONSTANT || this == other) {
      return this;
    }
    if (increasing() && other.increasing()) {
      return STRICTLY_INCREASING;
    }
    return decreasing() && other.decreasing() ? STRICTLY_DECREASING : NOT_MONOTONIC;
  }
}
