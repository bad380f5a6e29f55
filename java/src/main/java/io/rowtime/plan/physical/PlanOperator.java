package io.rowtime.plan.physical;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Locale;

/**
 * The operators of the plan contract, which the field {@code op} of a node names. What is decided for each of them is a {@code
 * switch} without a default, so that a new one does not compile until it is decided.
 */
public enum PlanOperator {
  SCAN, VALUES, FILTER, PROJECT, AGGREGATE, GROUP_AGGREGATE, SESSION_AGGREGATE, HOP_AGGREGATE, UNION, SORT, JOIN, INTERVAL_JOIN,
  LOOKUP_JOIN, SEARCH_KEY, TEMPORAL_JOIN, HOP, SESSION, UNNEST, PROCESS, SAMPLE, RECURSE, RECURSIVE, LATENESS, SETOP, WINDOW, TOP_N,
  /** Planned and explained, but refused before it runs. */
  UNSUPPORTED;

  /** The word in the plan. */
  public String op() {
    return name().toLowerCase(Locale.ROOT);
  }

  static PlanOperator of(ObjectNode node) {
    return valueOf(node.get("op").textValue().toUpperCase(Locale.ROOT));
  }
}
