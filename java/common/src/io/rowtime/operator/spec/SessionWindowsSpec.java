package io.rowtime.operator.spec;

import java.util.List;

/**
 * The parameters of SESSION as a table function. All other fields are as in {@link SessionSpec}.
 *
 * @param keys the columns by which sessions are separated
 */
public record SessionWindowsSpec(List<String> keys, String time, List<BoundClock.ClockStep> clock, String closes, Arrivals arrivals,
    long gap) implements OperatorSpec {

  public SessionWindowsSpec {
    if (gap <= 0) {
      throw new IllegalArgumentException("gap must be positive");
    }
  }
}
