package io.rowtime.plan.monotone;

/** The order of the values of a column or expression, in arrival order. */
public enum Monotonicity {
  STRICTLY_INCREASING, INCREASING, STRICTLY_DECREASING, DECREASING, CONSTANT, NOT_MONOTONIC;

  public boolean increasing() {
    return this == STRICTLY_INCREASING || this == INCREASING;
  }

  public boolean decreasing() {
    return this == STRICTLY_DECREASING || this == DECREASING;
  }

  /** Returns whether a query can make progress by it: it moves in one direction only, and does move. */
  public boolean makesProgress() {
    return increasing() || decreasing();
  }

  /** Returns the monotonicity of the negated value. */
  public Monotonicity reverse() {
    return switch (this) {
      case STRICTLY_INCREASING -> STRICTLY_DECREASING;
      case INCREASING -> DECREASING;
      case STRICTLY_DECREASING -> STRICTLY_INCREASING;
      case DECREASING -> INCREASING;
      default -> this;
    };
  }

  /** Returns the monotonicity of a value that may repeat while this one advances. */
  public Monotonicity unstrict() {
    return switch (this) {
      case STRICTLY_INCREASING -> INCREASING;
      case STRICTLY_DECREASING -> DECREASING;
      default -> this;
    };
  }

  /** Returns the monotonicity of the sum of two such values. */
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
