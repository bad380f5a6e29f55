package io.rowtime.operator.spec;

import java.util.List;

/**
 * What SESSION as a table function is told. All fields are as of {@link SessionSpec}.
 *
 * @param keys the columns by which sessions are told apart
 */
public record SessionWindowsSpec(List<String> keys, String time, String watermark, String closes, boolean disordered,
    @Nullable Long maxDisorder, boolean early, long gap) implements OperatorSpec {

  public SessionWindowsSpec {
    if (gap <= 0) {
      throw new IllegalArgumentException("gap must be positive");
    }
  }
}
