package io.rowtime.plan.rewrite;

import io.rowtime.diagnostic.DiagnosticException;
import io.rowtime.plan.origin.Origins;
import io.rowtime.plan.rel.IntervalJoin;
import io.rowtime.plan.rel.Plans;
import io.rowtime.validate.function.RowtimeOperators;
import java.util.ArrayList;
import java.util.List;
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
      if (!asks(node) || !(node instanceof LogicalProject project)) {
        return node;
      }
      RelNode input = withRowtime(project.getInput(), origins);
      return input == null ? project : LogicalProject.create(input, project.getHints(), resolve(project.getProjects(), input),
          project.getRowType().getFieldNames(), project.getVariablesSet());
    });
  }

  /**
   * Returns the node with the ROWTIME of the join below as its last column; null if there is no join of streams below.
   */
  private static RelNode withRowtime(RelNode rel, Origins origins) {
    if (rel instanceof IntervalJoin join) {
      return origins.recordReplacement(join, join.withRowtime());
    }
    // Joins in another order than the written one have a projection above them.
    boolean reordered = rel instanceof LogicalProject project && project.getMapping() != null;
    RelNode below = rel instanceof LogicalFilter || reordered ? withRowtime(rel.getInput(0), origins) : null;
    if (below == null || !reordered) {
      return below == null ? null : origins.withInputs(rel, List.of(below));
    }
    LogicalProject project = (LogicalProject) rel;
    List<RexNode> columns = new ArrayList<>(project.getProjects());
    columns.add(RexInputRef.of(below.getRowType().getFieldCount() - 1, below.getRowType()));
    List<String> names = new ArrayList<>(project.getRowType().getFieldNames());
    names.add(Util.last(below.getRowType().getFieldNames()));
    return origins.recordReplacement(rel, LogicalProject.create(below, project.getHints(), columns, names, project.getVariablesSet()));
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
   * Replaces the ROWTIME of joins of relations without windows in FROM by the latest ROWTIME of their inputs. Rows without
   * a match have none.
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
      if (windows || !isInner(node.getInput(0))) {
        throw new DiagnosticException("RT0112", origins.place(node, SqlParserPos.ZERO), "Column 'ROWTIME' is ambiguous",
            "qualify it with the name of an input, as in o.ROWTIME");
      }
      return node.accept(new RexShuttle() {
        @Override public RexNode visitCall(RexCall call) {
          return isRowtime(call) ? latest(call, rex) : super.visitCall(call);
        }
      });
    });
  }

  private static boolean asks(RelNode node) {
    return node instanceof LogicalProject project && project.getProjects().stream().anyMatch(JoinRowtimes::isCalledIn);
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
    RexNode found = call.getOperands().stream().reduce((a, b) ->
        rex.makeCall(SqlStdOperatorTable.CASE, rex.makeCall(SqlStdOperatorTable.GREATER_THAN, a, b), a, b)).orElseThrow();
    return rex.ensureType(call.getType(), found, true);
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
