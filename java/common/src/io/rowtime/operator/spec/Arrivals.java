package io.rowtime.operator.spec;

import java.io.Serializable;

/**
 * How rows arrive at an operator, in two cases: rows of the result must be in order of ROWTIME, or need not be. Which of them
 * applies is known when the query starts.
 */
public record Arrivals(Arrival ordered, Arrival unordered) implements Serializable {
  /**
   * How rows arrive.
   *
   * @param disordered whether a row may be before one of an earlier micro-batch
   * @param maxDisorder the rows of later micro-batches are at most this far before a row; null if rows prove nothing about later
   *     ones
   * @param early whether output may be emitted as soon as the rows of its own task prove that it is complete, even if that of
   *     other tasks, complete earlier, is emitted in a later micro-batch
   */
  public record Arrival(boolean disordered, @Nullable Long maxDisorder, boolean early) implements Serializable {}

  /** Returns the same for both cases. */
  public static Arrivals always(boolean disordered, Long maxDisorder, boolean early) {
    Arrival arrival = new Arrival(disordered, maxDisorder, early);
    return new Arrivals(arrival, arrival);
  }

  /** @param inOrder whether rows of the result must be in order */
  public Arrival of(boolean inOrder) {
    return inOrder ? ordered : unordered;
  }
}
