package io.rowtime.plan.progress;

import io.rowtime.aggregate.RankFunction;
import io.rowtime.catalog.CatalogColumn;
import io.rowtime.catalog.CatalogObject;
import io.rowtime.catalog.CatalogTable;
import io.rowtime.plan.constant.Distances;
import io.rowtime.plan.monotone.FieldOrder;
import io.rowtime.plan.monotone.GroupingSets;
import io.rowtime.plan.monotone.NodeOrder;
import io.rowtime.plan.monotone.PartitionClosing;
import io.rowtime.plan.node.StateBound.Size;
import io.rowtime.plan.node.StateBound;
import io.rowtime.plan.rel.ChangeScan;
import io.rowtime.plan.rel.ChangingRows;
import io.rowtime.plan.rel.IntervalJoin;
import io.rowtime.plan.rel.LatenessFilter;
import io.rowtime.plan.rel.LookupJoin;
import io.rowtime.plan.rel.SearchKeyJoin;
import io.rowtime.plan.rel.SessionAggregate;
import io.rowtime.plan.rel.SessionWindows;
import io.rowtime.plan.rel.StateTtl;
import io.rowtime.plan.rel.TableProcess;
import io.rowtime.plan.rel.TemporalFilter;
import io.rowtime.plan.rel.TemporalJoin;
import io.rowtime.plan.rel.TopN;
import io.rowtime.plan.rel.UpdatingJoin;
import io.rowtime.plan.rel.WindowedInput;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Aggregate;
import org.apache.calcite.rel.core.AggregateCall;
import org.apache.calcite.rel.core.Join;
import org.apache.calcite.rel.core.Sort;
import org.apache.calcite.rel.core.TableScan;
import org.apache.calcite.rel.core.Union;
import org.apache.calcite.rel.core.Window;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexWindowBound;
import org.apache.calcite.sql.type.SqlTypeUtil;
import org.apache.calcite.util.ImmutableBitSet;

/** Describes how much state each node of a streaming plan keeps, for how long, and why. */
public final class StateBounds {
  public static final StateBound SEPARATE_ROWS = new StateBound(Size.NONE, null, "handles each row separately");

  private final PlannedQuery plan;
  private final Retention retention;

  public StateBounds(PlannedQuery plan) {
    this.plan = plan;
    retention = new Retention(plan);
  }

  public StateBound of(RelNode rel) {
    StateBound kept = ofNode(rel);
    return kept.size() == Size.UNBOUNDED && leaves(rel) ? new StateBound(Size.WINDOW, null, kept.why() + "; conditions on the current time below limit the rows") : kept;
  }

  private StateBound ofNode(RelNode rel) {
    if (!plan.streams().contains(rel)) {
      return new StateBound(Size.NONE, null, "reads the existing rows, and ends");
    }
    if (rel instanceof Aggregate aggregate) {
      return aggregate(aggregate);
    }
    if (rel instanceof SessionWindows sessions) {
      Duration gap = Duration.ofMillis(sessions.gap());
      return new StateBound(Size.WINDOW, gap, "the rows of a session wait until the bound of " + retention.clock(sessions) + " is more than " + gap + " past the latest");
    }
    if (rel instanceof Union) {
      return new StateBound(Size.WINDOW, null, "rows wait until every branch's bound reaches their ROWTIME");
    }
    if (rel instanceof Sort sort) {
      return sort(sort);
    }
    if (rel instanceof TemporalFilter filter) {
      return temporal(filter);
    }
    if (rel instanceof UpdatingJoin join) {
      return JoinBounds.of(join, plan.orders());
    }
    if (rel instanceof ChangingRows rows) {
      return new StateBound(Size.UNBOUNDED, null, keeps(rows));
    }
    if (rel instanceof Window window) {
      return window(window);
    }
    if (rel instanceof TopN rows) {
      return topN(rows);
    }
    if (rel instanceof IntervalJoin join) {
      return JoinBounds.of(join);
    }
    if (rel instanceof TemporalJoin join) {
      return JoinBounds.of(join);
    }
    if (rel instanceof SearchKeyJoin) {
      return new StateBound(Size.NONE, null, "the system that stores the table looks up each row's key when the row is processed");
    }
    if (rel instanceof LookupJoin) {
      return new StateBound(Size.NONE, null, "each row is joined with the relation as it is when the row is processed");
    }
    if (rel instanceof Join || rel instanceof WindowedInput) {
      return new StateBound(Size.WINDOW, null, "rows are kept while the other side can still match them");
    }
    if (rel instanceof TableProcess process) {
      return process(process);
    }
    if (rel instanceof LatenessFilter) {
      return new StateBound(Size.CONSTANT, null, "the largest value of each annotated column");
    }
    if (rel instanceof TableScan scan && !(rel instanceof ChangeScan)) {
      return scan(scan.getTable().unwrapOrThrow(CatalogTable.class).object());
    }
    return SEPARATE_ROWS;
  }

  /** The rows of streams of rowtime's own have been admitted, and have waited, before a query reads them. */
  private static StateBound scan(CatalogObject object) {
    if (!object.kind().equals("FOREIGN STREAM")) {
      return SEPARATE_ROWS;
    }
    for (CatalogColumn column : object.columns()) {
      if (column.watermark() != null) {
        Duration wait = Duration.ofMillis(Distances.of(column.watermark()).longValue());
        return new StateBound(Size.WINDOW, wait, "a row waits until the bound of " + readable(column.name()) + ", which stays " + wait
            + " behind the latest row, reaches it");
      }
    }
    return object.columns().stream().anyMatch(column -> column.lateness() != null)
        ? new StateBound(Size.CONSTANT, null, "the largest value of each column with LATENESS") : SEPARATE_ROWS;
  }

  private StateBound aggregate(Aggregate aggregate) {
    if (aggregate instanceof SessionAggregate sessions) {
      Duration gap = Duration.ofMillis(sessions.gap());
      return new StateBound(Size.WINDOW, gap, "a session is complete, and is dropped, when the bound of " + retention.clock(aggregate) + " is more than " + gap + " past its latest row");
    }
    NodeOrder input = plan.orders().of(aggregate.getInput());
    FieldOrder closing = null;
    String name = null;
    for (int key : GroupingSets.common(aggregate)) {
      FieldOrder order = input.fields().get(key);
      if (order.monotonicity().makesProgress() && (closing == null || !closing.derivesFromRowtime())) {
        closing = order;
        name = aggregate.getInput().getRowType().getFieldNames().get(key);
      }
    }
    if (closing == null) {
      Long ttl = StateTtl.of(aggregate);
      return ttl == null ? updating(aggregate) : renewed(aggregate, Duration.ofMillis(ttl));
    }
    if (!closing.derivesFromRowtime()) {
      return new StateBound(Size.WINDOW, null, "a group is complete when " + readable(name) + " moves on");
    }
    return new StateBound(Size.WINDOW, retention.of(aggregate, closing),
        "a group is complete, and is dropped, when the bound of " + retention.clock(aggregate) + " passes its " + retention.window(aggregate, closing.steps()));
  }

  /** No group is ever complete. */
  private static StateBound updating(Aggregate aggregate) {
    boolean distinct = aggregate.getAggCallList().stream().anyMatch(AggregateCall::isDistinct);
    String values = distinct ? ", and an entry for each of its distinct values" : "";
    if (aggregate.getGroupCount() == 0) {
      return new StateBound(distinct ? Size.UNBOUNDED : Size.CONSTANT, null, "the results of all rows" + values);
    }
    String keys = names(aggregate.getInput(), aggregate.getGroupSet());
    return new StateBound(Size.UNBOUNDED, null, "the results of each group by " + keys + values + ": no key is monotonic, so a group is never complete");
  }

  private StateBound renewed(Aggregate aggregate, Duration ttl) {
    String values = aggregate.getAggCallList().stream().anyMatch(AggregateCall::isDistinct) ? ", and its distinct values" : "";
    return new StateBound(Size.WINDOW, ttl, "the results of each group by " + names(aggregate.getInput(), aggregate.getGroupSet()) + values + ", until the bound of "
        + retention.clock(aggregate) + " is more than " + ttl + " past its latest row; its row of the result then stays, and a later one begins the group anew");
  }

  /** A row waits at its next limit: the column and the distance say how long. */
  private StateBound temporal(TemporalFilter filter) {
    NodeOrder input = plan.orders().of(filter.getInput());
    List<TemporalFilter.Limit> limits = filter.leaves().isEmpty() ? filter.enters() : filter.leaves();
    TemporalFilter.Limit first = limits.stream().min(Comparator.comparingLong(TemporalFilter.Limit::millis)).orElseThrow();
    boolean timed = limits.stream().allMatch(limit -> input.fields().get(limit.column()).derivesFromRowtime());
    String name = readable(filter.getInput().getRowType().getFieldNames().get(first.column()));
    Duration after = Duration.ofMillis(first.millis());
    String distance = after.isZero() ? "" : (after.isNegative() ? after.negated() + " before " : after + " past ");
    return new StateBound(Size.WINDOW, timed && !after.isNegative() ? after : null, keeps(filter) + ", until the bound of " + retention.clock(filter)
        + (first.after() ? " has passed " : " reaches ") + (distance.isEmpty() ? "their " : "the time " + distance + "their ") + name);
  }

  /** Returns whether all rows of a node leave some time, by conditions on the current time below it. */
  private boolean leaves(RelNode rel) {
    if (rel instanceof TemporalFilter filter) {
      return !filter.leaves().isEmpty();
    }
    return !rel.getInputs().isEmpty() && rel.getInputs().stream().allMatch(input -> plan.streams().contains(input) && leaves(input));
  }

  static String keeps(ChangingRows rows) {
    return rows.keeps(columns -> names(rows.getInput(0), ImmutableBitSet.of(columns)));
  }

  private static String names(RelNode rel, ImmutableBitSet columns) {
    return columns.asList().stream().map(column -> readable(rel.getRowType().getFieldNames().get(column))).collect(Collectors.joining(", "));
  }

  private StateBound topN(TopN rows) {
    if (rows.limit() == 0) {
      return new StateBound(Size.NONE, null, "the query uses no rows");
    }
    boolean one = rows.limit() == 1;
    String first = one ? "the first row" : "the first " + rows.limit() + " rows";
    String peers = first + (one ? " and its peers" : " and their peers");
    String kept = switch (rows.function()) {
      case ROW_NUMBER -> first;
      case RANK -> peers;
      case DENSE_RANK -> one ? peers : "the rows of the first " + rows.limit() + " ranks";
    };
    if (rows.ttl() != null) {
      String of = rows.partition().isEmpty() ? "" : " of each partition by " + names(rows.getInput(), rows.partition());
      Duration ttl = Duration.ofMillis(rows.ttl());
      return new StateBound(Size.WINDOW, ttl, kept + of + ", until the bound of " + retention.clock(rows) + " is more than " + ttl + " past " + (of.isEmpty() ? "the" : "its")
          + " latest row; what the result has of it then stays, and a later row begins it anew");
    }
    if (rows.partitions() != TopN.Partitions.END) {
      boolean changes = rows.partitions() == TopN.Partitions.CHANGE;
      boolean constant = rows.partition().isEmpty() && !changes && rows.function() == RankFunction.ROW_NUMBER;
      String of = rows.partition().isEmpty() ? "" : " of each partition by " + names(rows.getInput(), rows.partition());
      return new StateBound(constant ? Size.CONSTANT : Size.UNBOUNDED, null, (changes ? "all rows" : kept) + of
          + (changes ? ": a row that is retracted lets another one in" : of.isEmpty() ? "" : ": a partition is never complete"));
    }
    NodeOrder input = plan.orders().of(rows.getInput());
    FieldOrder closing = input.fields().get(new PartitionClosing(input).key(rows.partition()));
    return new StateBound(Size.WINDOW, retention.of(rows, closing), "only " + kept + " of each partition so far, until the bound of " + retention.clock(rows)
        + " passes its " + retention.window(rows, closing.steps()));
  }

  private static StateBound process(TableProcess process) {
    Long ttl = process.function().stateTtl();
    String name = process.function().getName();
    if (ttl != null) {
      Duration idle = Duration.ofMillis(ttl);
      return new StateBound(Size.WINDOW, idle, "the state of a partition is dropped when the bound of ROWTIME is more than " + idle
          + " past its latest row or timer, and no timer is set");
    }
    return process.partition().isEmpty() ? new StateBound(Size.CONSTANT, null, "what " + name + " keeps: it declares no state_ttl")
        : new StateBound(Size.UNBOUNDED, null, "what " + name + " keeps for each partition, until it clears it or its time to live has passed: it declares no state_ttl");
  }

  private StateBound sort(Sort sort) {
    FieldOrder leading = plan.orders().of(sort.getInput()).fields()
        .get(sort.getCollation().getFieldCollations().get(0).getFieldIndex());
    return new StateBound(Size.WINDOW, leading.derivesFromRowtime() ? retention.of(sort, leading) : null,
        "rows wait until the bound of " + retention.clock(sort) + " passes their "
            + retention.window(sort, leading.derivesFromRowtime() ? leading.steps() : List.of()));
  }

  private StateBound window(Window window) {
    Duration longest = Duration.ZERO;
    boolean unlimited = false;
    boolean rows = false;
    boolean values = false;
    for (Window.Group group : window.groups) {
      rows |= group.isRows;
      for (RexWindowBound bound : List.of(group.lowerBound, group.upperBound)) {
        unlimited |= bound.isUnbounded();
        Long millis = group.isRows || bound.getOffset() == null || !overTime(window, group) ? null : literal(window, bound);
        values |= !group.isRows && bound.getOffset() != null && millis == null;
        if (millis != null) {
          Duration length = Duration.ofMillis(millis);
          longest = length.compareTo(longest) > 0 ? length : longest;
        }
      }
    }
    if (!longest.isZero() || values) {
      return new StateBound(Size.WINDOW, values ? null : longest, "rows are kept while a frame can reach them");
    }
    return unlimited || rows ? new StateBound(Size.CONSTANT, null, "a constant amount for each value of PARTITION BY")
        : new StateBound(Size.WINDOW, Duration.ZERO, "rows of the current instant");
  }

  /** Returns whether the distances of a RANGE frame are milliseconds. */
  private static boolean overTime(Window window, Window.Group group) {
    int key = group.orderKeys.getFieldCollations().get(0).getFieldIndex();
    return SqlTypeUtil.isDatetime(window.getInput().getRowType().getFieldList().get(key).getType());
  }

  private static Long literal(Window window, RexWindowBound bound) {
    int width = window.getInput().getRowType().getFieldCount();
    if (bound.getOffset() instanceof RexInputRef ref && ref.getIndex() >= width) {
      RexLiteral value = window.constants.get(ref.getIndex() - width);
      return value.getValueAs(Long.class);
    }
    return null;
  }

  static String readable(String name) {
    return name.startsWith("EXPR$") || name.startsWith("$f") ? "its monotonic key" : "'" + name + "'";
  }
}
