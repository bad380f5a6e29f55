package io.rowtime.claims;

/** A row contradicts what the planner has concluded: an error in the planner or in an operator. */
public final class ClaimViolation extends RuntimeException {
  private static final long serialVersionUID = 1L;

  ClaimViolation(String node, String claim, String row) {
    super("A claim of the planner is violated by " + node + ": " + claim + "; row: " + row);
  }
}
