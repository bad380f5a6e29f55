package io.rowtime.plan.progress;

import io.rowtime.aggregate.RankFunction;
import io.rowtime.catalog.CatalogColumn;
import io.rowtime.catalog.CatalogObject;
import io.rowtime.catalog.CatalogTable;
import io.rowtime.plan.clock.ClockStep;
import io.rowtime.plan.constant.Distances;
import io.rowtime.plan.monotone.FieldOrder;
import io.rowtime.plan.monotone.GroupingSets;
import io.rowtime.plan.monotone.NodeOrder;
import io.rowtime.plan.monotone.PartitionClosing;
import io.rowtime.plan.node.StateBound.Size;
import io.rowtime.plan.node.StateBound;
import io.rowtime.plan.rel.ChangeScan;
import io.rowtime.plan.rel.ChangingRows;
import io.rowtime.plan.rel.HopWindows;
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
import io.rowtime.plan.rewrite.LastMatches;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
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

  public StateBounds(PlannedQuery plan) {
    this.plan = plan;
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
      return new StateBound(Size.WINDOW, gap, "the rows of a session wait until the bound of " + clock(sessions) + " is more than " + gap + " past the latest");
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
      return join(join);
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
      return join(join);
    }
    if (rel instanceof TemporalJoin join && join.version().within() != null) {
      Duration within = Duration.ofMillis(Math.max(0, join.version().within()));
      return new StateBound(Size.WINDOW, within, "a row of the left input is kept until the next row of its keys is certain, at the latest until"
          + " the bound of the right one is " + past(within) + "; a row of the right input until the bound of the left one is past it");
    }
    if (rel instanceof TemporalJoin join) {
      return new StateBound(Size.CONSTANT, null, "for each value of the " + (join.version().identity().isEmpty() ? "join's keys" : "primary key")
          + ", the latest version before the bound of the left input is kept; all later ones, until that bound has passed them; and rows of"
          + " the left input until the bound of the right one has passed the time of their version");
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
      return new StateBound(Size.WINDOW, gap, "a session is complete, and is dropped, when the bound of " + clock(aggregate) + " is more than " + gap + " past its latest row");
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
    return new StateBound(Size.WINDOW, retention(aggregate, closing),
        "a group is complete, and is dropped, when the bound of " + clock(aggregate) + " passes its " + window(aggregate, closing.steps()));
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
        + clock(aggregate) + " is more than " + ttl + " past its latest row; its row of the result then stays, and a later one begins the group anew");
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
    return new StateBound(Size.WINDOW, timed && !after.isNegative() ? after : null, keeps(filter) + ", until the bound of " + clock(filter)
        + (first.after() ? " has passed " : " reaches ") + (distance.isEmpty() ? "their " : "the time " + distance + "their ") + name);
  }

  /** Returns whether all rows of a node leave some time, by conditions on the current time below it. */
  private boolean leaves(RelNode rel) {
    if (rel instanceof TemporalFilter filter) {
      return !filter.leaves().isEmpty();
    }
    return !rel.getInputs().isEmpty() && rel.getInputs().stream().allMatch(input -> plan.streams().contains(input) && leaves(input));
  }

  private static String keeps(ChangingRows rows) {
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
      return new StateBound(Size.WINDOW, ttl, kept + of + ", until the bound of " + clock(rows) + " is more than " + ttl + " past " + (of.isEmpty() ? "the" : "its")
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
    return new StateBound(Size.WINDOW, retention(rows, closing), "only " + kept + " of each partition so far, until the bound of " + clock(rows)
        + " passes its " + window(rows, closing.steps()));
  }

  private static StateBound process(TableProcess process) {
    Long ttl = process.function().stateTtl();
    String name = process.function().getName();
    if (ttl != null) {
      Duration retention = Duration.ofMillis(ttl);
      return new StateBound(Size.WINDOW, retention, "the state of a partition is dropped when the bound of ROWTIME is more than " + retention
          + " past its latest row or timer, and no timer is set");
    }
    return process.partition().isEmpty() ? new StateBound(Size.CONSTANT, null, "what " + name + " keeps: it declares no state_ttl")
        : new StateBound(Size.UNBOUNDED, null, "what " + name + " keeps for each partition, until it clears it or its time to live has passed: it declares no state_ttl");
  }

  private StateBound join(UpdatingJoin join) {
    LastMatches last = LastMatches.of(join, plan.orders());
    if (last.left() == null && last.right() == null) {
      return new StateBound(Size.UNBOUNDED, null, keeps(join));
    }
    String left = last.left() == null ? null : ends(join, 0, last.left());
    String right = last.right() == null ? null : ends(join, 1, last.right());
    if (left != null && right != null) {
      return new StateBound(Size.WINDOW, null, left + "; " + right);
    }
    return new StateBound(Size.UNBOUNDED, null, "all rows of the " + (left == null ? "left" : "right") + " input, by the join's keys: nothing limits when a match arrives; "
        + (left == null ? right : left));
  }

  private static String ends(Join join, int input, LastMatches.End end) {
    String column = "its " + readable(join.getInput(input).getRowType().getFieldNames().get(end.column()));
    Duration after = Duration.ofMillis(end.millis());
    String passes = after.isZero() ? " passes " : after.isNegative() ? " is past " + after.abs() + " before " : " is more than " + after + " past ";
    return "a row of the " + (input == 0 ? "left" : "right") + " input is kept until the bound of the " + (input == 0 ? "right" : "left") + " one" + passes + column;
  }

  private StateBound join(IntervalJoin join) {
    if (join.leftInterval().rows() > 0 || join.rightInterval().rows() > 0) {
      return new StateBound(Size.WINDOW, null, "a row of the left input is kept " + describeKept(join.leftInterval().rows(), "right")
          + ", a row of the right input " + describeKept(join.rightInterval().rows(), "left"));
    }
    ClockStep window = join.window();
    if (window != null && Math.max(join.leftKept(), join.rightKept()) >= window.longest() - 1) {
      Duration length = Duration.ofMillis(window.longest());
      String name = window.isCalendar() ? window.unit().name().toLowerCase(Locale.ROOT) : "window of " + length;
      return new StateBound(Size.WINDOW, length, "a row is kept until the bound of the other input passes the " + name + " of its ROWTIME");
    }
    Duration left = Duration.ofMillis(join.leftKept());
    Duration right = Duration.ofMillis(join.rightKept());
    Duration longest = left.compareTo(right) > 0 ? left : right;
    return new StateBound(Size.WINDOW, longest, "a row of the left input is kept until the bound of the right one is "
        + past(left) + ", a row of the right input until the bound of the left one is " + past(right));
  }

  private static String describeKept(int rows, String other) {
    String passed = "until the bound of the " + other + " one is past it";
    return rows == 0 ? passed : "until " + (rows == 1 ? "another comes" : rows + " others come") + " and the bound of the " + other
        + " one is past the last of them";
  }

  private static String past(Duration kept) {
    return kept.isZero() ? "past it" : kept + " past it";
  }

  private StateBound sort(Sort sort) {
    FieldOrder leading = plan.orders().of(sort.getInput()).fields()
        .get(sort.getCollation().getFieldCollations().get(0).getFieldIndex());
    return new StateBound(Size.WINDOW, leading.derivesFromRowtime() ? retention(sort, leading) : null,
        "rows wait until the bound of " + clock(sort) + " passes their "
            + window(sort, leading.derivesFromRowtime() ? leading.steps() : List.of()));
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

  /**
   * Returns how long a row is kept: the length of its window, and how far the bound of its source is behind the latest
   * row.
   */
  private Duration retention(RelNode rel, FieldOrder order) {
    HopWindows hop = hop(rel, order.steps());
    Duration length = Duration.ofMillis(late(rel.getInput(0)) + (hop == null ? order.spread() : hop.period().size()));
    for (ClockStep step : order.steps()) {
      if (step.isWindow() && (hop == null || !isPane(step, hop.period()) && !hop.period().firstStart().contains(step))) {
        length = length.plus(Duration.ofMillis(step.longest()));
      }
    }
    return length;
  }

  /** Returns how far the clock is behind the latest row, in milliseconds; 0 for rows that have waited for it. */
  private long late(RelNode rel) {
    NodeOrder order = plan.orders().of(rel);
    boolean waited = order.rowtime() >= 0 && order.fields().get(order.rowtime()).disorder() == 0;
    int clock = plan.orders().clockColumn(rel);
    return waited || !plan.streams().contains(rel) ? 0 : clock >= 0 ? order.fields().get(clock).disorder()
        : rel.getInputs().stream().mapToLong(this::late).max().orElse(0);
  }

  private String window(RelNode rel, List<ClockStep> steps) {
    HopWindows hop = hop(rel, steps);
    int last = lastWindow(steps);
    if (hop == null && last < 0) {
      return "instant";
    }
    if (hop == null && steps.get(last).isCalendar()) {
      return steps.get(last).unit().name().toLowerCase(Locale.ROOT);
    }
    return "window of " + Duration.ofMillis(hop != null ? hop.period().size() : steps.get(last).millis());
  }

  private static int lastWindow(List<ClockStep> steps) {
    int last = steps.size() - 1;
    while (last >= 0 && !steps.get(last).isWindow()) {
      last--;
    }
    return last;
  }

  /**
   * Returns the HOP, at {@code rel} or below it, whose windows are identified by a time that follows from its clock by
   * {@code steps}; null if there is none.
   */
  private HopWindows hop(RelNode rel, List<ClockStep> steps) {
    if (rel instanceof HopWindows hop) {
      int start = hop.getInput().getRowType().getFieldCount();
      if (steps.subList(0, lastWindow(steps) + 1).equals(plan.orders().of(hop).fields().get(start).steps())) {
        return hop;
      }
    }
    return rel.getInputs().stream().map(input -> hop(input, steps)).filter(Objects::nonNull).findFirst().orElse(null);
  }

  /** Returns whether windows of HOP consist of whole windows of this step, which then do not extend the retention. */
  private static boolean isPane(ClockStep step, HopWindows.Period hop) {
    return step.function() == ClockStep.Function.FLOOR && !step.isCalendar() && hop.slide() % step.millis() == 0
        && hop.size() % step.millis() == 0 && Math.floorMod(hop.offset() - step.offset(), step.millis()) == 0;
  }

  /** Returns the column that is the clock of a node's sources, usually ROWTIME. */
  private String clock(RelNode rel) {
    int column = plan.orders().clockColumn(rel);
    if (column >= 0) {
      return rel.getRowType().getFieldNames().get(column);
    }
    return rel.getInputs().stream().map(this::clock).findFirst().orElse(CatalogObject.ROWTIME);
  }

  private static String readable(String name) {
    return name.startsWith("EXPR$") || name.startsWith("$f") ? "its monotonic key" : "'" + name + "'";
  }
}
