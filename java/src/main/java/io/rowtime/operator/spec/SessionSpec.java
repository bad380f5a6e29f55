package io.rowtime.operator.spec;

import java.util.List;

/**
 * The parameters of GROUP BY SESSION.
 *
 * <p>{@code time}, {@code watermark}, {@code disordered} and {@code maxDisorder} are as of {@link OverSpec};
 * {@code early} is as of {@link GroupSpec}.
 *
 * @param keys the columns that rows are grouped by beside the session
 * @param closes column with the time, in the watermark's domain, when the session is over if no further row comes
 * @param gap how far apart rows of a session are at most
 */
public record SessionSpec(List<String> keys, String time, String watermark, String closes, boolean disordered,
    @Nullable Long maxDisorder, boolean early, long gap, List<Call> calls) implements GroupingSpec {

  public SessionSpec {
    if (gap <= 0) {
      throw new IllegalArgumentException("gap must be positive");
    }
  }

  @Override public List<String> partition() {
    return keys;
  }

  /** Rows of a session are not combined: which belong to one, all of them tell. */
  @Override public List<Call> combine() {
    return List.of();
  }
}
