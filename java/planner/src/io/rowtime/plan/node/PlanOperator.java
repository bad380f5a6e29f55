package io.rowtime.plan.node;

import java.util.Locale;

/**
 * The operators of the plan contract, which the field {@code op} of a node names. Decisions about operators are made in
 * a {@code switch} without a default, so a new operator does not compile until every decision is made.
 */
public enum PlanOperator {
  SCAN, VALUES, FILTER, PROJECT, AGGREGATE, GROUP_AGGREGATE, SESSION_AGGREGATE, HOP_AGGREGATE, UPDATING_AGGREGATE, TO_CHANGELOG, FROM_CHANGELOG, UNION, SORT, JOIN,
  INTERVAL_JOIN, UPDATING_JOIN, LOOKUP_JOIN, SEARCH_KEY, TEMPORAL_JOIN, HOP, SESSION, UNNEST, PROCESS, SAMPLE, RECURSE, RECURSIVE, LATENESS, SETOP, WINDOW,
  TOP_N, UPDATING_TOP_N, UPDATING_OVER, TEMPORAL_FILTER,
  /** Can be planned and explained, but is refused before it runs. */
  UNSUPPORTED;

  /** Returns the word for it in the plan. */
  public String op() {
    return name().toLowerCase(Locale.ROOT);
  }
}
