package io.rowtime.plan.node;

/**
 * How rows arrive at an operator.
 *
 * @param disordered whether a row may be before one of an earlier micro-batch
 * @param maxDisorder by how much, in milliseconds; null if that is not known
 * @param early whether the operator may emit rows before the watermark reaches them
 */
public record Arrival(boolean disordered, Long maxDisorder, boolean early) {
  /** The two cases: the result must be in order, or need not. Which of them applies is known when the query starts. */
  public record Cases(Arrival ordered, Arrival unordered) {}
}
