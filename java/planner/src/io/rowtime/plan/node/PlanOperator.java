package io.rowtime.plan.node;

import com.google.common.collect.ImmutableSet;
import io.rowtime.plan.node.NodeProperties.Need;
import java.util.Locale;
import java.util.Set;

/**
 * The operators of the plan contract, which the field {@code op} of a node names, with what is the same for all nodes of an
 * operator. What differs from node to node, the record of {@link Operator} decides.
 */
public enum PlanOperator {
  SCAN(Changes.NONE, Takes.ADDITIONS, Needs.NOTHING, Stored.NOTHING, Result.SOURCE, Order.DECIDED, Carries.OF_SOURCE, ComputedBy.SPARK),
  VALUES(Changes.NONE, Takes.ADDITIONS, Needs.NOTHING, Stored.NOTHING, Result.OWN, Order.BY_ROWTIME, Carries.NOTHING, ComputedBy.SPARK),
  FILTER(Changes.OF_INPUTS, Takes.RETRACTIONS, Needs.NOTHING, Stored.NOTHING, Result.INPUT, Order.OF_INPUT, Carries.OF_INPUT, ComputedBy.SPARK),
  PROJECT(Changes.OF_INPUTS, Takes.RETRACTIONS, Needs.NOTHING, Stored.NOTHING, Result.EXPRESSIONS, Order.OF_INPUT, Carries.OF_INPUT, ComputedBy.SPARK),
  AGGREGATE(Changes.NONE, Takes.ADDITIONS, Needs.WATERMARK, Stored.GROUPS, Result.GROUPS, Order.BY_ROWTIME, Carries.NOTHING, ComputedBy.SPARK),
  GROUP_AGGREGATE(Changes.NONE, Takes.ADDITIONS, Needs.WATERMARK_AND_STATE, Stored.GROUPS, Result.GROUPS, Order.DECIDED, Carries.NOTHING, ComputedBy.WAITING_OPERATOR),
  SESSION_AGGREGATE(Changes.NONE, Takes.ADDITIONS, Needs.WATERMARK_AND_STATE, Stored.GROUPS, Result.GROUPS, Order.DECIDED, Carries.NOTHING, ComputedBy.WAITING_OPERATOR),
  HOP_AGGREGATE(Changes.NONE, Takes.ADDITIONS, Needs.WATERMARK_AND_STATE, Stored.GROUPS, Result.GROUPS, Order.DECIDED, Carries.NOTHING, ComputedBy.WAITING_OPERATOR),
  UPDATING_AGGREGATE(Changes.RETRACTS, Takes.RETRACTIONS, Needs.STATE, Stored.GROUPS, Result.GROUPS, Order.DECIDED, Carries.NOTHING, ComputedBy.IMMEDIATE_OPERATOR),
  TO_CHANGELOG(Changes.NONE, Takes.RETRACTIONS, Needs.NOTHING, Stored.TABLE, Result.OWN, Order.BY_ROWTIME, Carries.NOTHING, ComputedBy.IMMEDIATE_OPERATOR),
  FROM_CHANGELOG(Changes.RETRACTS, Takes.RETRACTIONS, Needs.STATE, Stored.INPUT, Result.OWN, Order.BY_ROWTIME, Carries.NOTHING, ComputedBy.IMMEDIATE_OPERATOR),
  UNION(Changes.OF_INPUTS, Takes.RETRACTIONS, Needs.WATERMARK_AND_STATE, Stored.RESULT, Result.UNION, Order.DECIDED, Carries.OF_BRANCHES, ComputedBy.SPARK),
  SORT(Changes.NONE, Takes.ADDITIONS, Needs.WATERMARK_AND_STATE, Stored.INPUT, Result.INPUT, Order.OF_INPUT, Carries.OF_INPUT, ComputedBy.SPARK),
  JOIN(Changes.NONE, Takes.ADDITIONS, Needs.NOTHING, Stored.NOTHING, Result.JOINED, Order.BY_ROWTIME, Carries.NOTHING, ComputedBy.SPARK),
  INTERVAL_JOIN(Changes.NONE, Takes.ADDITIONS, Needs.WATERMARK_AND_STATE, Stored.READ, Result.JOINED, Order.DECIDED, Carries.ROWTIME, ComputedBy.WAITING_OPERATOR),
  UPDATING_JOIN(Changes.RETRACTS, Takes.RETRACTIONS, Needs.STATE, Stored.READ, Result.JOINED, Order.DECIDED, Carries.NOTHING, ComputedBy.IMMEDIATE_OPERATOR),
  LOOKUP_JOIN(Changes.NONE, Takes.ADDITIONS, Needs.NOTHING, Stored.NOTHING, Result.JOINED, Order.DECIDED, Carries.OF_STREAM, ComputedBy.SPARK),
  SEARCH_KEY(Changes.NONE, Takes.ADDITIONS, Needs.NOTHING, Stored.NOTHING, Result.JOINED, Order.OF_INPUT, Carries.OF_INPUT, ComputedBy.ANY_OPERATOR),
  TEMPORAL_JOIN(Changes.NONE, Takes.ADDITIONS, Needs.WATERMARK_AND_STATE, Stored.READ, Result.JOINED, Order.DECIDED, Carries.ROWTIME_AND_ARRIVAL, ComputedBy.WAITING_OPERATOR),
  HOP(Changes.NONE, Takes.ADDITIONS, Needs.NOTHING, Stored.NOTHING, Result.EXTENDED, Order.OF_INPUT, Carries.OF_INPUT, ComputedBy.SPARK),
  SESSION(Changes.NONE, Takes.ADDITIONS, Needs.WATERMARK_AND_STATE, Stored.INPUT, Result.EXTENDED, Order.DECIDED, Carries.ROWTIME_AND_ARRIVAL, ComputedBy.WAITING_OPERATOR),
  UNNEST(Changes.NONE, Takes.ADDITIONS, Needs.NOTHING, Stored.NOTHING, Result.EXTENDED, Order.OF_INPUT, Carries.OF_INPUT, ComputedBy.SPARK),
  PROCESS(Changes.NONE, Takes.ADDITIONS, Needs.WATERMARK_AND_STATE, Stored.WHOLE_INPUT, Result.OWN, Order.DECIDED, Carries.ROWTIME, ComputedBy.ANY_OPERATOR),
  SAMPLE(Changes.NONE, Takes.ADDITIONS, Needs.NOTHING, Stored.NOTHING, Result.INPUT, Order.OF_INPUT, Carries.NOTHING, ComputedBy.SPARK),
  RECURSE(Changes.NONE, Takes.ADDITIONS, Needs.NOTHING, Stored.NOTHING, Result.SET, Order.BY_ROWTIME, Carries.NOTHING, ComputedBy.SPARK),
  RECURSIVE(Changes.NONE, Takes.ADDITIONS, Needs.NOTHING, Stored.NOTHING, Result.OWN, Order.BY_ROWTIME, Carries.NOTHING, ComputedBy.SPARK),
  LATENESS(Changes.NONE, Takes.ADDITIONS, Needs.NOTHING, Stored.CLOCKS, Result.INPUT, Order.DECIDED, Carries.OF_INPUT, ComputedBy.SPARK),
  SETOP(Changes.NONE, Takes.ADDITIONS, Needs.NOTHING, Stored.NOTHING, Result.SET, Order.BY_ROWTIME, Carries.NOTHING, ComputedBy.SPARK),
  WINDOW(Changes.NONE, Takes.ADDITIONS, Needs.WATERMARK_AND_STATE, Stored.INPUT, Result.WINDOWS, Order.DECIDED, Carries.ROWTIME_AND_ARRIVAL, ComputedBy.WAITING_OPERATOR),
  TOP_N(Changes.NONE, Takes.ADDITIONS, Needs.WATERMARK_AND_STATE, Stored.INPUT, Result.RANKED, Order.DECIDED, Carries.ROWTIME_AND_ARRIVAL, ComputedBy.WAITING_OPERATOR),
  UPDATING_TOP_N(Changes.RETRACTS, Takes.RETRACTIONS, Needs.STATE, Stored.INPUT, Result.RANKED, Order.DECIDED, Carries.NOTHING, ComputedBy.IMMEDIATE_OPERATOR),
  UPDATING_OVER(Changes.RETRACTS, Takes.RETRACTIONS, Needs.STATE, Stored.INPUT, Result.WINDOWS, Order.BY_ROWTIME, Carries.NOTHING, ComputedBy.IMMEDIATE_OPERATOR),
  TEMPORAL_FILTER(Changes.RETRACTS, Takes.RETRACTIONS, Needs.WATERMARK_AND_STATE, Stored.READ, Result.INPUT, Order.BY_ROWTIME, Carries.NOTHING, ComputedBy.IMMEDIATE_OPERATOR),
  /** Can be planned and explained, but is refused before it runs. */
  UNSUPPORTED(Changes.NONE, Takes.ADDITIONS, Needs.NOTHING, Stored.NOTHING, Result.OWN, Order.BY_ROWTIME, Carries.NOTHING, ComputedBy.SPARK);

  /** How the rows of a streaming node change earlier ones. */
  public enum Changes {
    /** A row is final when it is emitted: the operator waits until nothing can change it. */
    NONE,
    /** Each row by itself: a row that is retracted has become what it became when it was added. */
    OF_INPUTS,
    RETRACTS
  }

  /** Which rows an operator takes. */
  public enum Takes { ADDITIONS, RETRACTIONS }

  /** What a streaming node requires of the engine. */
  public enum Needs {
    NOTHING, WATERMARK(Need.WATERMARK), STATE(Need.STATE_STORE), WATERMARK_AND_STATE(Need.WATERMARK, Need.STATE_STORE),
    WATERMARK_STATE_AND_ORDER(Need.WATERMARK, Need.STATE_STORE, Need.ORDER);

    private final ImmutableSet<Need> needs;

    Needs(Need... needs) {
      this.needs = ImmutableSet.copyOf(needs);
    }

    public Set<Need> needs() {
      return needs;
    }
  }

  /** Which columns a streaming node keeps in its state, or what else that outlives the query. */
  public enum Stored {
    NOTHING, INPUT,
    /** Those that it reads of each input. */
    READ,
    /** The keys and the calls of a GROUP BY. */
    GROUPS,
    RESULT,
    /** Those of the input, in its order, which a function can tell. */
    WHOLE_INPUT,
    /** A file with the largest values so far. */
    CLOCKS,
    /** The table of a pump: all of its rows are results of the same query. */
    TABLE
  }

  /** What the columns of a node are. */
  public enum Result {
    /** The columns of the input, or those and more after them, which only the node identifies. */
    INPUT, EXTENDED,
    /** The columns of both inputs, or those of the left one. */
    JOINED,
    SOURCE, EXPRESSIONS, GROUPS, UNION, SET, WINDOWS, RANKED,
    /** Columns that only the node identifies. */
    OWN
  }

  /** The order in which rows are emitted, from one micro-batch to the next. */
  public enum Order {
    OF_INPUT,
    /** No ROWTIME is below an earlier one, or the order does not matter: that of relations, and of changes. */
    BY_ROWTIME,
    /** It depends on the node, as does how rows arrive at it. */
    DECIDED
  }

  /** Which columns the rows of a stream carry though they are not among the fields: ROWTIME, and the number of a row in order of arrival. */
  public enum Carries {
    NOTHING, ROWTIME,
    /** ROWTIME, and the number if the first input has it. */
    ROWTIME_AND_ARRIVAL,
    OF_SOURCE, OF_INPUT, OF_BRANCHES,
    /** Those of the input that is a stream. */
    OF_STREAM
  }

  /** What computes the node. */
  public enum ComputedBy {
    SPARK,
    /** An operator of rowtime's own, which needs a bound of each input: rows wait for it. */
    WAITING_OPERATOR,
    /** An operator of rowtime's own, which emits rows without a bound of its input. */
    IMMEDIATE_OPERATOR,
    /** An operator of rowtime's own, for relations too. */
    ANY_OPERATOR
  }

  private final Changes changes;
  private final Takes takes;
  private final Needs needs;
  private final Stored stored;
  private final Result result;
  private final Order order;
  private final Carries carries;
  private final ComputedBy computedBy;

  PlanOperator(Changes changes, Takes takes, Needs needs, Stored stored, Result result, Order order, Carries carries, ComputedBy computedBy) {
    this.changes = changes;
    this.takes = takes;
    this.needs = needs;
    this.stored = stored;
    this.result = result;
    this.order = order;
    this.carries = carries;
    this.computedBy = computedBy;
  }

  /** Returns the word for it in the plan. */
  public String op() {
    return name().toLowerCase(Locale.ROOT);
  }

  public boolean takesRetractions() {
    return takes == Takes.RETRACTIONS;
  }

  public Stored stored() {
    return stored;
  }

  public Result result() {
    return result;
  }

  public Order order() {
    return order;
  }

  public Carries carries() {
    return carries;
  }

  public ComputedBy computedBy() {
    return computedBy;
  }

  Changes changes() {
    return changes;
  }

  Needs needs() {
    return needs;
  }
}
