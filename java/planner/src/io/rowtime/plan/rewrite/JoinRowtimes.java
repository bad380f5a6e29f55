package io.rowtime.plan.rewrite;

import com.google.common.collect.ImmutableSet;
import io.rowtime.catalog.CatalogObject;
import io.rowtime.diagnostic.DiagnosticException;
import io.rowtime.plan.monotone.OrderAnalysis;
import io.rowtime.plan.monotone.StreamingNodes;
import io.rowtime.plan.origin.Origins;
import io.rowtime.plan.rel.IntervalJoin;
import io.rowtime.plan.rel.Plans;
import io.rowtime.plan.rel.UpdatingJoin;
import io.rowtime.validate.function.RowtimeOperators;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.JoinRelType;
import org.apache.calcite.rel.logical.LogicalFilter;
import org.apache.calcite.rel.logical.LogicalJoin;
import org.apache.calcite.rel.logical.LogicalProject;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexShuttle;
import org.apache.calcite.rex.RexVisitorImpl;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.util.Util;

/**
 * Replaces calls of {@link RowtimeOperators#JOIN_ROWTIME} by the column in which an {@link IntervalJoin} returns its
 * ROWTIME.
 */
final class JoinRowtimes {
  private JoinRowtimes() {}

  static RelNode resolve(RelNode plan, Origins origins) {
    return origins.rewrite(plan, node -> {
      RelNode input = asks(node) ? withRowtime(node.getInput(0), origins) : null;
      if (input == null) {
        return node;
      }
      if (node instanceof LogicalProject project) {
        return LogicalProject.create(input, project.getHints(), resolve(project.getProjects(), input), project.getRowType().getFieldNames(),
            project.getVariablesSet());
      }
      LogicalFilter filter = (LogicalFilter) node;
      RelNode rows = LogicalFilter.create(input, resolve(List.of(filter.getCondition()), input).get(0), ImmutableSet.copyOf(filter.getVariablesSet()));
      // The query has the same columns as before.
      List<String> names = ofInputs(filter.getRowType().getFieldNames());
      return LogicalProject.create(rows, List.of(), filter.getCluster().getRexBuilder().identityProjects(rows.getRowType()).subList(0, names.size()),
          names, Set.of());
    });
  }

  /**
   * Returns the node with the ROWTIME of the join below as its last column; null if there is no join of streams below.
   */
  private static RelNode withRowtime(RelNode rel, Origins origins) {
    if (rel instanceof IntervalJoin join) {
      return origins.recordReplacement(join, join.withRowtime());
    }
    // Above a join in another order than the written one, or one that a condition has made an inner join, there is a
    // projection that changes the order or the nullability of the columns.
    boolean changed = rel instanceof LogicalProject above && above.getProjects().stream().allMatch(JoinRowtimes::isColumn);
    RelNode below = rel instanceof LogicalFilter || changed ? withRowtime(rel.getInput(0), origins) : null;
    if (below == null || !changed) {
      return below == null ? null : origins.withInputs(rel, List.of(below));
    }
    LogicalProject project = (LogicalProject) rel;
    List<RexNode> columns = new ArrayList<>(project.getProjects());
    columns.add(RexInputRef.of(below.getRowType().getFieldCount() - 1, below.getRowType()));
    List<String> names = new ArrayList<>(ofInputs(project.getRowType().getFieldNames()));
    names.add(Util.last(below.getRowType().getFieldNames()));
    return origins.recordReplacement(rel, LogicalProject.create(below, project.getHints(), columns, names, project.getVariablesSet()));
  }

  /** Above the join, the ROWTIME of an input is not that of the rows. */
  static List<String> ofInputs(List<String> names) {
    return names.stream().map(name -> name.equals(CatalogObject.ROWTIME) ? "$left" : name).toList();
  }

  /** Returns whether an expression is a column, perhaps of another type. */
  static boolean isColumn(RexNode expr) {
    return expr instanceof RexInputRef || expr instanceof RexCall call && call.isA(SqlKind.CAST) && call.getOperands().get(0) instanceof RexInputRef;
  }

  private static List<RexNode> resolve(List<RexNode> exprs, RelNode input) {
    int rowtime = input.getRowType().getFieldCount() - 1;
    return new RexShuttle() {
      @Override public RexNode visitCall(RexCall call) {
        return isRowtime(call) ? RexInputRef.of(rowtime, input.getRowType()) : super.visitCall(call);
      }
    }.visitList(exprs);
  }

  /**
   * Replaces the ROWTIME of joins of relations without windows in FROM by the latest ROWTIME of their inputs; that of rows
   * without a match by the one that they have.
   *
   * @param windows whether the query has windows in FROM, which define the ROWTIME of a join
   */
  static RelNode ofRelations(RelNode plan, boolean windows, Origins origins) {
    if (Plans.nodes(plan).noneMatch(JoinRowtimes::asks)) {
      return plan;
    }
    RexBuilder rex = plan.getCluster().getRexBuilder();
    return origins.rewrite(plan, node -> {
      if (!asks(node)) {
        return node;
      }
      if (windows) {
        throw new DiagnosticException("RT0112", origins.place(node, SqlParserPos.ZERO), "Column 'ROWTIME' is ambiguous",
            "qualify it with the name of an input, as in o.ROWTIME");
      }
      return withLatest(node, rex);
    });
  }

  private static RelNode withLatest(RelNode node, RexBuilder rex) {
    return node.accept(new RexShuttle() {
      @Override public RexNode visitCall(RexCall call) {
        return isRowtime(call) ? latest(call, rex) : super.visitCall(call);
      }
    });
  }

  private static boolean isUpdating(RelNode rel) {
    boolean passes = rel instanceof LogicalFilter || rel instanceof LogicalProject project && project.getProjects().stream().allMatch(JoinRowtimes::isColumn);
    return rel instanceof UpdatingJoin || passes && isUpdating(rel.getInput(0));
  }

  /**
   * Replaces the ROWTIME of all other joins, which is that of one of their inputs; of joins whose result changes, as that of joins of
   * relations.
   */
  static RelNode ofInputs(RelNode plan, Origins origins) {
    if (Plans.nodes(plan).noneMatch(JoinRowtimes::asks)) {
      return plan;
    }
    OrderAnalysis orders = new OrderAnalysis(StreamingNodes.of(plan, true));
    RexBuilder rex = plan.getCluster().getRexBuilder();
    return origins.rewrite(plan, (original, node) -> {
      if (asks(original) && isUpdating(original.getInput(0))) {
        return withLatest(node, rex);
      }
      int rowtime = asks(original) ? orders.of(original.getInput(0)).rowtime() : -1;
      return rowtime < 0 ? node : node.accept(new RexShuttle() {
        @Override public RexNode visitCall(RexCall call) {
          return isRowtime(call) ? RexInputRef.of(rowtime, node.getInput(0).getRowType()) : super.visitCall(call);
        }
      });
    });
  }

  private static boolean asks(RelNode node) {
    return node instanceof LogicalProject project && project.getProjects().stream().anyMatch(JoinRowtimes::isCalledIn)
        || node instanceof LogicalFilter filter && isCalledIn(filter.getCondition());
  }

  /** Returns the joins whose ROWTIME a query uses although rows without a match have only one of those of the inputs. */
  static Set<RelNode> outerJoins(RelNode plan) {
    Set<RelNode> found = Collections.newSetFromMap(new IdentityHashMap<>());
    Plans.nodes(plan).filter(JoinRowtimes::asks).map(node -> belowFilters(node.getInput(0)))
        .filter(node -> node instanceof LogicalJoin && !isInner(node)).forEach(found::add);
    return found;
  }

  static RelNode belowFilters(RelNode rel) {
    return rel instanceof LogicalFilter filter ? belowFilters(filter.getInput()) : rel;
  }

  /** Returns whether each row of {@code rel} has a row of each input of the joins in it. */
  private static boolean isInner(RelNode rel) {
    if (rel instanceof LogicalFilter filter) {
      return isInner(filter.getInput());
    }
    return !(rel instanceof LogicalJoin join)
        || join.getJoinType() == JoinRelType.INNER && isInner(join.getLeft()) && isInner(join.getRight());
  }

  private static RexNode latest(RexCall call, RexBuilder rex) {
    return call.getOperands().stream().reduce((a, b) -> {
      List<RexNode> cases = new ArrayList<>();
      if (b.getType().isNullable()) {
        cases.addAll(List.of(rex.makeCall(SqlStdOperatorTable.IS_NULL, b), a));
      }
      cases.addAll(List.of(rex.makeCall(SqlStdOperatorTable.GREATER_THAN, a, b), a, b));
      return rex.makeCall(SqlStdOperatorTable.CASE, cases);
    }).orElseThrow();
  }

  static boolean isCalledIn(RexNode expr) {
    List<RexCall> found = new ArrayList<>();
    expr.accept(new RexVisitorImpl<Void>(true) {
      @Override public Void visitCall(RexCall call) {
        if (isRowtime(call)) {
          found.add(call);
        }
        return super.visitCall(call);
      }
    });
    return !found.isEmpty();
  }

  private static boolean isRowtime(RexCall call) {
    return call.getOperator() == RowtimeOperators.JOIN_ROWTIME;
  }
}
