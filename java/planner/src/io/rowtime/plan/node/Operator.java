package io.rowtime.plan.node;

import io.rowtime.aggregate.RankFunction;
import io.rowtime.plan.clock.ClockStep;
import io.rowtime.plan.node.Meaning.Role;
import io.rowtime.plan.node.NodeProperties.Need;
import io.rowtime.plan.node.PlanOperator.Changes;
import io.rowtime.plan.node.PlanOperator.Needs;
import io.rowtime.plan.rel.SnapshotScan;
import io.rowtime.validate.function.SearchKeyOptions;
import java.math.BigDecimal;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.apache.calcite.rel.core.JoinRelType;

/**
 * What a node computes, with everything that has been decided about how. Times and lengths are in milliseconds. The contract
 * of the plan says what each component means for the rows: see {@code rowtime/plan/nodes.py}.
 */
public sealed interface Operator {
  PlanOperator kind();

  /** Returns how rows of a stream change earlier ones. */
  default Changes changes() {
    return kind().changes();
  }

  /** Returns what a streaming node requires of the engine. */
  default Set<Need> needs() {
    return kind().needs().needs();
  }

  /** Returns whether something that a streaming node keeps outlives the query. */
  default boolean keepsState() {
    return kind().stored() != PlanOperator.Stored.NOTHING;
  }

  /**
   * A named stream or table.
   *
   * @param bound the column whose bound is the clock of the query; null if the clock comes from another node
   * @param inOrder whether no row has a ROWTIME before that of an earlier row
   * @param holdsRows whether the query itself holds rows back by a WATERMARK, as it does for a foreign stream
   */
  record Scan(@NoMeaning("the name of what 'identity' describes") String source, @Meaning("source") String identity,
      @NoMeaning("part of 'identity'") @PlanField("kind") String catalogKind, @Meaning("way of reading") Mode mode, @Meaning("clock") String bound,
      @NoMeaning("follows from the conditions above") Long minRowtime, @Meaning("start") Start start, @Meaning("delay") Long clockShift,
      @Meaning("version") SnapshotScan.AsOf asOf, @NoMeaning("follows from the source; it says when, not what") @PlanField("") boolean inOrder,
      @NoMeaning("part of 'identity'") @PlanField("") boolean holdsRows) implements Operator {

    /** How a source is read: as a stream, as the stream of a table's changes, as a relation, or row by row with a key. */
    public enum Mode {
      STREAM, CHANGES, RELATION, KEYS;

      /** Returns the word for it in the plan. */
      @Override public String toString() {
        return name().toLowerCase(Locale.ROOT);
      }
    }

    /** The rows with which a scan begins wherever the query begins. */
    public enum Start { EARLIEST }

    @Override public PlanOperator kind() {
      return PlanOperator.SCAN;
    }

    @Override public Changes changes() {
      return mode == Mode.CHANGES ? Changes.RETRACTS : Changes.NONE;
    }

    @Override public Set<Need> needs() {
      return (holdsRows ? Needs.WATERMARK_AND_STATE : Needs.NOTHING).needs();
    }

    /** Returns the scan as one that only looks up keys. */
    public Scan withKeys() {
      return new Scan(source, identity, catalogKind, Mode.KEYS, bound, minRowtime, start, clockShift, asOf, inOrder, holdsRows);
    }

    /** Returns whether rows are numbered in order of arrival, as those of logs are. */
    public boolean isNumbered() {
      return mode != Mode.CHANGES && !catalogKind.startsWith("FOREIGN");
    }

    /** Returns whether the log of the source has the bound that is the clock of the query. */
    public boolean hasOwnBound() {
      return bound != null && List.of("STREAM", "TABLE").contains(catalogKind);
    }
  }

  /** Rows of constants. */
  record Values(@Meaning(value = "rows", role = Role.EXPRESSION) List<List<Expression>> rows) implements Operator {
    @Override public PlanOperator kind() {
      return PlanOperator.VALUES;
    }
  }

  record Filter(@NoMeaning("part of the meaning of the rows") Expression condition,
      @NoMeaning("says what becomes of rows without a result, and nothing about the others") @PlanField("") Fallible fallible) implements Operator {
    @Override public PlanOperator kind() {
      return PlanOperator.FILTER;
    }
  }

  record Project(@NoMeaning("the columns of the result") List<Expression> exprs,
      @NoMeaning("says what becomes of rows without a result, and nothing about the others") @PlanField("") Fallible fallible) implements Operator {
    @Override public PlanOperator kind() {
      return PlanOperator.PROJECT;
    }
  }

  /** The parts that all GROUP BYs have. */
  sealed interface Grouping extends Operator {
    List<GroupCall> calls();

    /** Returns how many columns of the result are keys. */
    int keyCount();
  }

  /** A GROUP BY whose keys are columns of the input. */
  sealed interface Grouped extends Grouping {
    List<Integer> keys();

    /** Returns the time at which a group is complete; null if it never is, or for a relation. */
    Expression closes();

    @Override default int keyCount() {
      return keys().size();
    }
  }

  /** The key with the times of a session, and its gap. */
  record SessionKey(@Meaning(role = Role.COLUMN) int key, @Meaning long gap) {}

  /** A constant argument: Spark accepts no column for a separator or a fraction. */
  record ConstantArgument(int index, Expression value) {}

  /** GROUP BY by Spark's own aggregation. */
  record Aggregate(@Meaning(value = "GROUP BY", role = Role.COLUMN, unordered = true) List<Integer> keys,
      @Meaning(value = "GROUPING SETS", role = Role.COLUMN, unordered = true) List<List<Integer>> sets,
      @Meaning(value = "SESSION", role = Role.PART) SessionKey session,
      @Meaning(value = "aggregate functions", role = Role.PART, unordered = true) List<GroupCall> calls,
      @Meaning(value = "end of a group", role = Role.EXPRESSION) Expression closes,
      @NoMeaning("the arguments of the calls have their values") List<ConstantArgument> constants) implements Grouped {
    @Override public PlanOperator kind() {
      return PlanOperator.AGGREGATE;
    }
  }

  /**
   * GROUP BY of a stream by an operator that keeps the values of groups.
   *
   * @param partition the keys by which rows are shuffled
   */
  record GroupAggregate(@Meaning(value = "GROUP BY", role = Role.COLUMN, unordered = true) List<Integer> keys,
      @Meaning(value = "GROUPING SETS", role = Role.COLUMN, unordered = true) List<List<Integer>> sets,
      @Meaning(value = "aggregate functions", role = Role.PART, unordered = true) List<GroupCall> calls,
      @Meaning(value = "end of a group", role = Role.EXPRESSION) Expression closes,
      @Meaning(value = "partitions", role = Role.COLUMN, unordered = true) List<Integer> partition,
      @Meaning("partial aggregation") boolean combines,
      @NoMeaning("follows from the calls, by the version of the layout") @PlanField("") ComputedCalls operator) implements Grouped {
    @Override public PlanOperator kind() {
      return PlanOperator.GROUP_AGGREGATE;
    }
  }

  /**
   * GROUP BY of a stream by keys whose groups are never complete: each change of a group retracts its earlier result.
   *
   * @param ttl the milliseconds after the last row of a group from which on a row begins it anew, and does not retract its result; null if
   *     none does
   */
  record UpdatingAggregate(@Meaning(value = "GROUP BY", role = Role.COLUMN, unordered = true) List<Integer> keys,
      @Meaning(value = "GROUPING SETS", role = Role.COLUMN, unordered = true) List<List<Integer>> sets,
      @Meaning(value = "aggregate functions", role = Role.PART, unordered = true) List<GroupCall> calls,
      @Meaning("partial aggregation") boolean combines, @Meaning(value = "STATE_TTL", optional = true) Long ttl,
      @NoMeaning("follows from the calls, by the version of the layout") @PlanField("") ComputedCalls operator) implements Grouped {
    @Override public PlanOperator kind() {
      return PlanOperator.UPDATING_AGGREGATE;
    }

    @Override public Set<Need> needs() {
      return (ttl == null ? Needs.STATE : Needs.WATERMARK_AND_STATE).needs();
    }

    @Override public Expression closes() {
      return null;
    }
  }

  /**
   * TO_CHANGELOG of a result that changes, or the changes that a pump applies to a table.
   *
   * @param key the columns of a unique key of the result; null if it has none
   * @param upserts whether a row that is replaced is left out
   * @param renews whether a row of a key can be added though the earlier one is not retracted
   * @param target what table has the result; null for TO_CHANGELOG
   */
  record ToChangelog(@NoMeaning("rows are the same by any key") List<Integer> key, @NoMeaning("keeps nothing") boolean upserts,
      @NoMeaning("follows from what is below") boolean renews,
      @Meaning("table") String target) implements Operator {
    @Override public PlanOperator kind() {
      return PlanOperator.TO_CHANGELOG;
    }

    @Override public boolean keepsState() {
      return target != null;
    }
  }

  /** GROUP BY SESSION of a stream by an operator of rowtime's own. */
  record SessionAggregate(@Meaning(value = "GROUP BY", role = Role.COLUMN, unordered = true) List<Integer> keys,
      @Meaning(value = "SESSION", role = Role.PART) SessionKey session,
      @Meaning(value = "aggregate functions", role = Role.PART, unordered = true) List<GroupCall> calls,
      @Meaning(value = "end of a group", role = Role.EXPRESSION) Expression closes,
      @NoMeaning("follows from the calls, by the version of the layout") @PlanField("") ComputedCalls operator) implements Grouped {
    @Override public PlanOperator kind() {
      return PlanOperator.SESSION_AGGREGATE;
    }
  }

  /** A key of GROUP BY HOP: a column of the input, or the start or end of the window. */
  record HopKey(int column) {
    public static final HopKey START = new HopKey(-1);
    public static final HopKey END = new HopKey(-2);

    public boolean isColumn() {
      return column >= 0;
    }

    @Override public String toString() {
      return equals(START) ? "START" : equals(END) ? "END" : Integer.toString(column);
    }
  }

  /**
   * GROUP BY HOP of a stream over panes.
   *
   * @param pane the column with the start of a row's pane
   */
  record HopAggregate(@Meaning(value = "GROUP BY", role = Role.COLUMN, unordered = true) List<HopKey> keys,
      @Meaning(value = "time", role = Role.COLUMN) int pane, @Meaning("slide of HOP") long slide, @Meaning("size of HOP") long size,
      @Meaning("offset of HOP") long offset, @Meaning("end of a pane") long late,
      @Meaning(value = "aggregate functions", role = Role.PART, unordered = true) List<GroupCall> calls,
      @Meaning("partial aggregation") boolean combines,
      @NoMeaning("follows from the calls, by the version of the layout") @PlanField("") ComputedCalls operator) implements Grouping {
    @Override public PlanOperator kind() {
      return PlanOperator.HOP_AGGREGATE;
    }

    @Override public int keyCount() {
      return keys.size();
    }
  }

  /**
   * UNION, which merges streams.
   *
   * @param closes the time at which a row is released; null if ROWTIME is hidden, if rows do not wait, and for a relation
   * @param merges whether rows of streams wait, so that they come in order; what reads results that change needs no order
   */
  record Union(@Meaning("ALL") boolean all, @Meaning(value = "time of release", role = Role.EXPRESSION) Expression closes,
      @NoMeaning("without it, there is no state") boolean merges) implements Operator {
    @Override public PlanOperator kind() {
      return PlanOperator.UNION;
    }

    @Override public Set<Need> needs() {
      return (merges ? Needs.WATERMARK_AND_STATE : Needs.NOTHING).needs();
    }

    @Override public boolean keepsState() {
      return merges;
    }
  }

  /** ORDER BY, which sorts a stream by time. */
  record Sort(@Meaning(value = "ORDER BY", role = Role.PART) List<SortKey> keys, @Meaning("OFFSET") Long offset, @Meaning("FETCH") Long fetch,
      @Meaning(value = "time of release", role = Role.EXPRESSION) Expression closes) implements Operator {
    @Override public PlanOperator kind() {
      return PlanOperator.SORT;
    }
  }

  /** A join of relations. */
  record Join(@Meaning("kind of join") JoinRelType joinType, @Meaning(value = "condition", role = Role.CONDITION) Expression condition) implements Operator {
    @Override public PlanOperator kind() {
      return PlanOperator.JOIN;
    }
  }

  /**
   * When rows of the other input match: between {@code from} and {@code to} of its time, or those in the same window, or a number
   * of rows.
   *
   * @param window null if there is none
   * @param to null if {@code rows} is not
   */
  record Interval(long from, ClockStep window, Long to, Integer rows) {}

  /** A join of two streams within time intervals. */
  record IntervalJoin(@Meaning("kind of join") JoinRelType joinType, @Meaning(value = "keys", role = Role.LEFT_EXPRESSION) List<Expression> leftKeys,
      @Meaning(value = "keys of the right input", role = Role.RIGHT_EXPRESSION) List<Expression> rightKeys, @Meaning("window") Interval leftInterval,
      @Meaning("window of the right input") Interval rightInterval, @Meaning("DISTINCT") boolean leftDistinct,
      @Meaning("DISTINCT of the right input") boolean rightDistinct,
      @Meaning(value = "condition", role = Role.CONDITION) Expression condition) implements Operator {
    @Override public PlanOperator kind() {
      return PlanOperator.INTERVAL_JOIN;
    }
  }

  /** A row of a join matches no row of the other input whose ROWTIME is later than the value of a column and so many milliseconds. */
  record LastMatch(int column, long millis) {}

  /**
   * A join of two streams, or of results that change, whose rows are retracted when rows of the inputs are, or, in some kinds
   * of join, when a match arrives.
   *
   * @param leftEnd when a left row has had its last match; null if it can always get another one
   */
  record UpdatingJoin(@Meaning("kind of join") JoinRelType joinType, @Meaning(value = "keys", role = Role.LEFT_EXPRESSION) List<Expression> leftKeys,
      @Meaning(value = "keys of the right input", role = Role.RIGHT_EXPRESSION) List<Expression> rightKeys,
      @NoMeaning("follows from the condition") LastMatch leftEnd, @NoMeaning("follows from the condition") LastMatch rightEnd,
      @Meaning(value = "condition", role = Role.CONDITION) Expression condition) implements Operator {
    @Override public PlanOperator kind() {
      return PlanOperator.UPDATING_JOIN;
    }

    @Override public Set<Need> needs() {
      return (leftEnd == null && rightEnd == null ? Needs.STATE : Needs.WATERMARK_AND_STATE).needs();
    }

    @Override public Changes changes() {
      return io.rowtime.plan.rel.UpdatingJoin.onlyAdds(joinType) ? Changes.OF_INPUTS : Changes.RETRACTS;
    }
  }

  /**
   * A join of a stream with the version of another one at a time.
   *
   * @param leftTime the column that is the clock; null if none is
   */
  record TemporalJoin(@Meaning("kind of join") JoinRelType joinType, @Meaning(value = "keys", role = Role.LEFT_EXPRESSION) List<Expression> leftKeys,
      @Meaning(value = "keys of the right input", role = Role.RIGHT_EXPRESSION) List<Expression> rightKeys,
      @Meaning(value = "time", role = Role.COLUMN) Integer leftTime, @Meaning(value = "time of the right input", role = Role.RIGHT_COLUMN) Integer rightTime,
      @Meaning("shift of the time") long shift, @Meaning("comparison of times") boolean inclusive, @Meaning("limit of the time") Long within,
      @Meaning(value = "primary key", role = Role.RIGHT_COLUMN) List<Integer> identity, @Meaning("partitions") boolean oneTask,
      @Meaning(value = "condition", role = Role.CONDITION) Expression condition) implements Operator {
    @Override public PlanOperator kind() {
      return PlanOperator.TEMPORAL_JOIN;
    }
  }

  /** A side of a join. */
  enum Side { LEFT, RIGHT }

  /**
   * A join of a stream with a relation as it is when the row is processed.
   *
   * @param varies whether the relation can change
   */
  record LookupJoin(@Meaning("kind of join") JoinRelType joinType, @Meaning("stream") Side stream, @Meaning("variation") boolean varies,
      @Meaning(value = "condition", role = Role.CONDITION) Expression condition) implements Operator {
    @Override public PlanOperator kind() {
      return PlanOperator.LOOKUP_JOIN;
    }
  }

  /** A join of a stream with a table whose system looks rows up by key. */
  record SearchKey(@Meaning("connector") String connector, @Meaning("kind of join") JoinRelType joinType,
      @Meaning(value = "keys of the table", role = Role.RIGHT_COLUMN) List<Integer> keys,
      @Meaning(value = "keys", role = Role.LEFT_EXPRESSION) List<Expression> lookup, @Meaning(value = "condition", role = Role.CONDITION) Expression condition,
      @NoMeaning("say how rows are looked up, not which") SearchKeyOptions options,
      @NoMeaning("follow from the table") @PlanField("") List<TableColumn> columns) implements Operator {
    /** A column of the table: its SQL type without precision, and its type as Spark's DDL. */
    public record TableColumn(String sqlType, String sparkType) {}

    @Override public PlanOperator kind() {
      return PlanOperator.SEARCH_KEY;
    }
  }

  /** The table function HOP: each row in each of its windows. */
  record Hop(@Meaning(value = "time", role = Role.EXPRESSION) Expression time, @Meaning("slide") long slide, @Meaning("size") long size,
      @Meaning("offset") long offset) implements Operator {
    @Override public PlanOperator kind() {
      return PlanOperator.HOP;
    }
  }

  /** The table function SESSION: each row with its session. */
  record Session(@Meaning(value = "time", role = Role.COLUMN) int time, @Meaning(value = "keys", role = Role.COLUMN) List<Integer> keys,
      @Meaning("gap") long gap, @Meaning(value = "end of a session", role = Role.EXPRESSION) Expression closes) implements Operator {
    @Override public PlanOperator kind() {
      return PlanOperator.SESSION;
    }
  }

  record Unnest(@Meaning(value = "UNNEST", role = Role.EXPRESSION) List<Expression> exprs, @Meaning("WITH ORDINALITY") boolean ordinality,
      @Meaning("outer join") boolean outer) implements Operator {
    @Override public PlanOperator kind() {
      return PlanOperator.UNNEST;
    }
  }

  /** A user-defined table function with state. */
  record ProcessRows(@NoMeaning("the name of 'body' in the catalog") String function, @Meaning("language") String language, @Meaning("function") String body,
      @Meaning(value = "PARTITION BY", role = Role.COLUMN) List<Integer> partition, @Meaning(value = "time", role = Role.COLUMN) int time,
      @Meaning(value = "parameters", role = Role.VALUES) List<String> parameters, @Meaning(value = "arguments", role = Role.EXPRESSION) List<Expression> args,
      @Meaning("delay") long delay, @Meaning("state_ttl") Long stateTtl, @NoMeaning("follow from the types") @PlanField("") List<String> resultTypes) implements Operator {
    @Override public PlanOperator kind() {
      return PlanOperator.PROCESS;
    }
  }

  record Sample(@Meaning("TABLESAMPLE") BigDecimal fraction, @Meaning("REPEATABLE") Integer seed) implements Operator {
    @Override public PlanOperator kind() {
      return PlanOperator.SAMPLE;
    }
  }

  /** WITH RECURSIVE. */
  record Recurse(@Meaning("ALL") boolean all, @NoMeaning("a number of this plan; the nesting says which") int recursion) implements Operator {
    @Override public PlanOperator kind() {
      return PlanOperator.RECURSE;
    }
  }

  /** The rows of the step before, within WITH RECURSIVE. */
  record Recursive(@NoMeaning("a number of this plan; the nesting says which") int recursion) implements Operator {
    @Override public PlanOperator kind() {
      return PlanOperator.RECURSIVE;
    }
  }

  /** A column with LATENESS. */
  record LatenessColumn(@Meaning(role = Role.COLUMN) int index, @Meaning(role = Role.EXPRESSION) Expression lateness) {}

  /**
   * A view with LATENESS.
   *
   * @param bound the column whose bound is the clock of the query from here on; null if there is none
   */
  record Lateness(@Meaning(value = "LATENESS", role = Role.PART) List<LatenessColumn> columns,
      @Meaning(value = "clock", role = Role.COLUMN_NAME) String bound) implements Operator {
    @Override public PlanOperator kind() {
      return PlanOperator.LATENESS;
    }
  }

  /** INTERSECT or EXCEPT of relations. */
  record SetOp(@Meaning("operation") @PlanField("kind") String operation, @Meaning("ALL") boolean all) implements Operator {
    @Override public PlanOperator kind() {
      return PlanOperator.SETOP;
    }
  }

  /** OVER: all windows of a SELECT. */
  sealed interface Windows extends Operator {
    List<OverWindow> windows();
  }

  /** The first rows of each partition, with ranks as columns. */
  sealed interface FirstRows extends Operator {
    List<RankFunction> ranks();
  }

  /** OVER: all windows of a SELECT, with the passes in which a stream goes through them. */
  record Window(@Meaning(value = "windows", role = Role.PART) List<OverWindow> windows,
      @Meaning(value = "order of the windows", role = Role.PART) List<OverWindow.Pass> passes) implements Windows {
    @Override public PlanOperator kind() {
      return PlanOperator.WINDOW;
    }

    @Override public Set<Need> needs() {
      return (comesByRows() ? Needs.WATERMARK_STATE_AND_ORDER : Needs.WATERMARK_AND_STATE).needs();
    }

    /** Returns whether it is ordered by a column whose progress only the rows show. */
    private boolean comesByRows() {
      return passes.stream().anyMatch(pass -> pass.time() != null && pass.time().clock() == null);
    }
  }

  /**
   * The first rows of each partition of a stream.
   *
   * @param ranks the ranks that are columns of the result
   */
  record TopN(@Meaning(value = "PARTITION BY", role = Role.COLUMN) List<Integer> partition, @Meaning(value = "ORDER BY", role = Role.PART) List<SortKey> order,
      @Meaning("function") RankFunction function, @Meaning("limit") int limit,
      @Meaning(value = "end of a partition", role = Role.EXPRESSION) Expression closes,
      @NoMeaning("computed from the rows when they are emitted") List<RankFunction> ranks) implements FirstRows {
    @Override public PlanOperator kind() {
      return PlanOperator.TOP_N;
    }
  }

  /**
   * The first rows of partitions that are never complete.
   *
   * @param ranks the functions whose values are added to a row
   */
  record UpdatingTopN(@Meaning(value = "PARTITION BY", role = Role.COLUMN) List<Integer> partition,
      @Meaning(value = "ORDER BY", role = Role.PART) List<SortKey> order, @Meaning("function") RankFunction function, @Meaning("limit") int limit,
      @NoMeaning("computed from the rows when they are emitted") List<RankFunction> ranks, @Meaning(value = "STATE_TTL", optional = true) Long ttl)
      implements FirstRows {
    @Override public PlanOperator kind() {
      return PlanOperator.UPDATING_TOP_N;
    }

    @Override public Set<Need> needs() {
      return (ttl == null ? Needs.STATE : Needs.WATERMARK_AND_STATE).needs();
    }
  }

  /**
   * FROM_CHANGELOG of a stream. The fields of its rows are those of the input after {@code op}.
   *
   * @param op the column with the kind of a change
   * @param key the columns by which a change replaces or deletes a row; null if a change has the whole row
   */
  record FromChangelog(@Meaning(value = "kind of a change", role = Role.COLUMN) @PlanField("changeKind") int op,
      @Meaning(value = "key", role = Role.COLUMN, unordered = true) List<Integer> key) implements Operator {
    @Override public PlanOperator kind() {
      return PlanOperator.FROM_CHANGELOG;
    }
  }

  /** OVER whose values change: all windows of a SELECT, over the same partitions in the same order. */
  record UpdatingOver(@Meaning(value = "windows", role = Role.PART) List<OverWindow> windows) implements Windows {
    @Override public PlanOperator kind() {
      return PlanOperator.UPDATING_OVER;
    }
  }

  /** A time at which a row enters or leaves: {@code millis} after the value of a column, or, with {@code after}, the instant after that. */
  record TimeLimit(@Meaning(role = Role.COLUMN) int column, @Meaning("later by") long millis, @Meaning("after it") boolean after) {}

  /**
   * WHERE with conditions on the current time, of a stream.
   *
   * @param enters from the latest of these times on, a row is there
   * @param leaves until the first of these times
   */
  record TemporalFilter(@Meaning(value = "enters", role = Role.PART) List<TimeLimit> enters,
      @Meaning(value = "leaves", role = Role.PART) List<TimeLimit> leaves) implements Operator {
    @Override public PlanOperator kind() {
      return PlanOperator.TEMPORAL_FILTER;
    }
  }

  /**
   * What can be planned and explained, but not run.
   *
   * @param number tells it apart from others
   * @param function the name of a table function, with its arguments; null for other operators
   * @param joinType the kind of a LATERAL join, with the name of its outer row; null for other operators
   * @param period the time of FOR SYSTEM_TIME; null for other operators
   */
  record Unsupported(@NoMeaning("does not run") int number, @NoMeaning("does not run") String function, @NoMeaning("does not run") List<Expression> args,
      @NoMeaning("does not run") JoinRelType joinType, @NoMeaning("does not run") String correlation,
      @NoMeaning("does not run") Expression period) implements Operator {
    @Override public PlanOperator kind() {
      return PlanOperator.UNSUPPORTED;
    }
  }
}
