package io.rowtime.plan.physical;

import io.rowtime.plan.clock.Closing;
import io.rowtime.plan.rel.HopWindows;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Aggregate;
import org.apache.calcite.rel.core.Filter;
import org.apache.calcite.rel.core.Project;
import org.apache.calcite.rel.logical.LogicalAggregate;
import org.apache.calcite.rel.logical.LogicalFilter;
import org.apache.calcite.rel.logical.LogicalProject;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.util.ImmutableBitSet;

/**
 * Splits GROUP BY over hopping windows into panes: rows are aggregated once per pane, the time between two window
 * borders, and only the results are aggregated in every window that contains the pane.
 */
final class HopPanes {
  /** Panes shorter than this fraction of the slide save nothing. */
  private static final int MAX_PANES_PER_SLIDE = 64;

  private final Aggregate aggregate;
  private final Project project;
  private final HopWindows hop;
  private final RelNode input;
  private final RexBuilder rex;
  private final int width;

  private HopPanes(Aggregate aggregate, Project project, HopWindows hop, RelNode input) {
    this.aggregate = aggregate;
    this.project = project;
    this.hop = hop;
    this.input = input;
    this.rex = aggregate.getCluster().getRexBuilder();
    this.width = hop.getInput().getRowType().getFieldCount();
  }

  /**
   * Returns the same groups, computed from panes; returns the aggregate itself if it has no hopping windows, or cannot
   * be split.
   */
  static RelNode of(LogicalAggregate aggregate) {
    if (!(aggregate.getInput() instanceof Project project) || aggregate.getGroupType() != Aggregate.Group.SIMPLE) {
      return aggregate;
    }
    RelNode below = project.getInput();
    RexNode condition = null;
    if (below instanceof Filter filter) {
      condition = filter.getCondition();
      below = filter.getInput();
    }
    if (!(below instanceof HopWindows hop)) {
      return aggregate;
    }
    int width = hop.getInput().getRowType().getFieldCount();
    if (condition != null && !ofRow(condition, width)) {
      return aggregate;
    }
    RelNode input = condition == null ? hop.getInput() : LogicalFilter.create(hop.getInput(), condition);
    HopPanes panes = new HopPanes(aggregate, project, hop, input);
    return panes.apply() ? panes.rewritten() : aggregate;
  }

  private boolean apply() {
    boolean window = false;
    for (int key : aggregate.getGroupSet()) {
      window |= border(key);
      if (!border(key) && !ofRow(project.getProjects().get(key), width)) {
        return false;
      }
    }
    boolean splits = aggregate.getAggCallList().stream().allMatch(call -> PaneCalls.splits(call)
        && call.getArgList().stream().allMatch(arg -> ofRow(project.getProjects().get(arg), width))
        && (!call.hasFilter() || ofRow(project.getProjects().get(call.filterArg), width)));
    return window && splits && pane() * MAX_PANES_PER_SLIDE >= hop.period().slide();
  }

  private static boolean ofRow(RexNode expr, int width) {
    return RelOptUtil.InputFinder.bits(expr).asList().stream().allMatch(i -> i < width);
  }

  /** Returns the length of a pane: every window starts and ends at a pane border. */
  private long pane() {
    return BigInteger.valueOf(hop.period().slide()).gcd(BigInteger.valueOf(hop.period().size())).longValue();
  }

  private RelNode rewritten() {
    // First by pane: its start, the keys of the row, and the arguments of the functions.
    List<Integer> keys = aggregate.getGroupSet().asList().stream().filter(key -> !border(key)).toList();
    Map<Integer, Integer> columns = new LinkedHashMap<>();
    List<RexNode> exprs = new ArrayList<>();
    List<String> names = new ArrayList<>();
    exprs.add(rex.makeCall(SqlStdOperatorTable.TUMBLE_OLD, List.of(hop.time(), Closing.interval(rex, pane()),
        Closing.interval(rex, Math.floorMod(hop.period().offset(), pane())))));
    names.add("$pane");
    List<Integer> read = new ArrayList<>(keys);
    aggregate.getAggCallList().forEach(call -> {
      read.addAll(call.getArgList());
      if (call.hasFilter()) {
        read.add(call.filterArg);
      }
    });
    for (int column : read) {
      if (!columns.containsKey(column)) {
        columns.put(column, exprs.size());
        exprs.add(project.getProjects().get(column));
        names.add(project.getRowType().getFieldNames().get(column));
      }
    }
    RelNode rows = LogicalProject.create(input, List.of(), exprs, names, Set.of());
    PaneCalls calls = new PaneCalls(rex, aggregate.getAggCallList(), columns);
    RelNode panes = PaneAggregate.create(rows, ImmutableBitSet.range(1 + keys.size()), calls.partial());
    // Then by window: each pane belongs to the windows that contain its start.
    HopWindows windows = HopWindows.create(panes, rex.makeInputRef(panes, 0), hop.period(), "$hop_start", "$hop_end");
    int first = panes.getRowType().getFieldCount();
    List<RexNode> combined = new ArrayList<>();
    List<String> combinedNames = new ArrayList<>();
    for (int key : aggregate.getGroupSet()) {
      combined.add(border(key) ? rex.makeInputRef(windows, first + ((RexInputRef) project.getProjects().get(key)).getIndex() - width)
          : rex.makeInputRef(windows, 1 + keys.indexOf(key)));
      combinedNames.add(project.getRowType().getFieldNames().get(key));
    }
    for (int i = 0; i < calls.partial().size(); i++) {
      combined.add(rex.makeInputRef(windows, 1 + keys.size() + i));
      combinedNames.add("$partial" + i);
    }
    RelNode all = LogicalProject.create(windows, List.of(), combined, combinedNames, Set.of());
    int count = aggregate.getGroupCount();
    RelNode groups = LogicalAggregate.create(all, List.of(), ImmutableBitSet.range(count), null, calls.total(count));
    List<RexNode> results = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      results.add(rex.makeInputRef(groups, i));
    }
    results.addAll(calls.results(groups, count));
    return TypedProject.of(groups, results, aggregate.getRowType());
  }

  private boolean border(int key) {
    return project.getProjects().get(key) instanceof RexInputRef ref && ref.getIndex() >= width;
  }
}
