package io.rowtime.plan.node;

import io.rowtime.plan.monotone.Monotonicity;

/**
 * A column of a node's rows.
 *
 * @param disorder how far a time may be behind earlier ones, in milliseconds; 0 if it is not monotonic, or no time
 */
public record Column(String name, String type, boolean nullable, Monotonicity monotonicity, long disorder) {
  /** Returns how far a value may be behind earlier ones, in milliseconds; null if that is not known. */
  public Long knownDisorder() {
    return monotonicity.increasing() ? disorder : null;
  }
}
