package io.rowtime.plan.monotone;

import io.rowtime.catalog.CatalogColumn;
import io.rowtime.catalog.CatalogObject;
import io.rowtime.plan.rel.ChangingRows;
import io.rowtime.plan.rel.HopWindows;
import io.rowtime.plan.rel.IntervalJoin;
import io.rowtime.plan.rel.LatenessFilter;
import io.rowtime.plan.rel.SearchKeyJoin;
import io.rowtime.plan.rel.SessionAggregate;
import io.rowtime.plan.rel.SessionWindows;
import io.rowtime.plan.rel.TableProcess;
import io.rowtime.plan.rel.TemporalJoin;
import io.rowtime.plan.rel.TopN;
import io.rowtime.plan.rel.Unnest;
import io.rowtime.plan.rel.WindowedInput;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import org.apache.calcite.rel.BiRel;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Aggregate;
import org.apache.calcite.rel.core.Correlate;
import org.apache.calcite.rel.core.Filter;
import org.apache.calcite.rel.core.Join;
import org.apache.calcite.rel.core.Match;
import org.apache.calcite.rel.core.Project;
import org.apache.calcite.rel.core.RepeatUnion;
import org.apache.calcite.rel.core.Sample;
import org.apache.calcite.rel.core.SetOp;
import org.apache.calcite.rel.core.Snapshot;
import org.apache.calcite.rel.core.Sort;
import org.apache.calcite.rel.core.Spool;
import org.apache.calcite.rel.core.TableFunctionScan;
import org.apache.calcite.rel.core.TableScan;
import org.apache.calcite.rel.core.Uncollect;
import org.apache.calcite.rel.core.Window;

/** Derives the orders of all nodes of a streaming plan; nodes that {@code streams} does not contain have none. */
public final class OrderAnalysis {
  private final StreamingNodes streams;
  private final Map<RelNode, Integer> clocks;
  private final Map<RelNode, Long> ahead;
  private final Map<RelNode, NodeOrder> known = new IdentityHashMap<>();

  /**
   * Derives the orders with the default clock of every source: ROWTIME, or the first time column with a declared order.
   */
  public OrderAnalysis(StreamingNodes streams) {
    this(streams, Map.of());
  }

  /** @param clocks the nodes with a column that is the clock of the query instead of the sources' default clocks */
  public OrderAnalysis(StreamingNodes streams, Map<RelNode, Integer> clocks) {
    this(streams, clocks, Map.of());
  }

  private OrderAnalysis(StreamingNodes streams, Map<RelNode, Integer> clocks, Map<RelNode, Long> ahead) {
    this.streams = streams;
    this.clocks = new IdentityHashMap<>(clocks);
    this.ahead = new IdentityHashMap<>(ahead);
  }

  /**
   * Derives the orders with the sources' default clocks.
   *
   * @param ahead how far the bound of a source is ahead of the clock of the query, in milliseconds
   */
  public static OrderAnalysis ahead(StreamingNodes streams, Map<RelNode, Long> ahead) {
    return new OrderAnalysis(streams, Map.of(), ahead);
  }

  /**
   * Returns the index of the column of a source, or of a view with LATENESS, that is the clock of the query; else -1.
   */
  public int clockColumn(RelNode rel) {
    if (!streams.contains(rel)) {
      return -1;
    }
    if (!clocks.isEmpty()) {
      return clocks.getOrDefault(rel, -1);
    }
    return rel instanceof TableScan scan ? ScanOrder.clockColumn(scan) : -1;
  }

  /** Returns whether a column of a source has a bound that advances. */
  public static boolean canBeClock(CatalogObject source, CatalogColumn column) {
    return ScanOrder.canBeClock(source, column);
  }

  public NodeOrder of(RelNode rel) {
    return known.computeIfAbsent(rel, this::derive);
  }

  /** The same of rows in which no column is NULL for want of a match in an outer join. */
  public NodeOrder ofMatches(RelNode rel) {
    NodeOrder order = of(rel);
    if (!streams.contains(rel)) {
      return order;
    }
    List<NodeOrder> matches = rel instanceof Filter || rel instanceof Project || rel instanceof IntervalJoin
        ? rel.getInputs().stream().map(this::ofMatches).toList() : List.of();
    if (rel instanceof Filter) {
      return order.withFields(matches.get(0).fields());
    }
    if (rel instanceof Project project) {
      return order.withFields(new ProjectOrder().derive(project, matches).fields());
    }
    return rel instanceof IntervalJoin join ? order.withFields(IntervalJoinOrder.ofMatches(join, matches)) : order;
  }

  private NodeOrder derive(RelNode rel) {
    int count = rel.getRowType().getFieldCount();
    if (!streams.contains(rel)) {
      return NodeOrder.relation(count);
    }
    List<NodeOrder> inputs = rel.getInputs().stream().map(this::of).toList();
    if (rel instanceof TableScan scan) {
      return new ScanOrder(clockColumn(scan), ahead.getOrDefault(scan, 0L)).derive(scan, inputs);
    }
    if (rel instanceof Project project) {
      return new ProjectOrder().derive(project, inputs);
    }
    if (rel instanceof Filter) {
      return inputs.get(0);
    }
    if (rel instanceof SessionAggregate sessions) {
      return new SessionOrder().derive(sessions, inputs);
    }
    if (rel instanceof Aggregate aggregate) {
      return new AggregateOrder().derive(aggregate, inputs);
    }
    if (rel instanceof SetOp setOp) {
      return new UnionOrder().derive(setOp, inputs);
    }
    if (rel instanceof IntervalJoin join) {
      return new IntervalJoinOrder().derive(join, inputs);
    }
    if (rel instanceof TemporalJoin join) {
      return new TemporalJoinOrder().derive(join, inputs);
    }
    if (rel instanceof ChangingRows) {
      return NodeOrder.relation(count);
    }
    if (rel instanceof Join || rel instanceof Correlate || rel instanceof SearchKeyJoin) {
      return new JoinOrder().derive((BiRel) rel, inputs);
    }
    if (rel instanceof Sort sort) {
      return new SortOrder().derive(sort, inputs);
    }
    if (rel instanceof LatenessFilter filter) {
      return new LatenessOrder(clockColumn(filter)).derive(filter, inputs);
    }
    if (rel instanceof Window window) {
      return new WindowOrder().derive(window, inputs);
    }
    if (rel instanceof TopN rows) {
      return new TopNOrder().derive(rows, inputs);
    }
    if (rel instanceof HopWindows hop) {
      return new HopOrder().derive(hop, inputs);
    }
    if (rel instanceof SessionWindows sessions) {
      return new SessionWindowsOrder().derive(sessions, inputs);
    }
    if (rel instanceof Unnest unnest) {
      return new UnnestOrder().derive(unnest, inputs);
    }
    if (rel instanceof TableProcess process) {
      return new ProcessOrder().derive(process, inputs);
    }
    if (rel instanceof WindowedInput || rel instanceof Spool) {
      return inputs.get(0);
    }
    // These are refused over streams when the plan is written.
    if (rel instanceof Sample || rel instanceof Match || rel instanceof Snapshot || rel instanceof Uncollect
        || rel instanceof TableFunctionScan || rel instanceof RepeatUnion) {
      return NodeOrder.relation(count);
    }
    throw new IllegalStateException("The order of " + rel.getClass().getSimpleName() + " is not defined");
  }
}
