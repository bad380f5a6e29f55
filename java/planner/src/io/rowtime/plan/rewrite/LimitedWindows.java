package io.rowtime.plan.rewrite;

import io.rowtime.diagnostic.DiagnosticException;
import io.rowtime.plan.origin.Origins;
import io.rowtime.plan.rel.Plans;
import io.rowtime.plan.rel.StateTtl;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Project;
import org.apache.calcite.rel.logical.LogicalProject;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexOver;
import org.apache.calcite.rex.RexUtil;
import org.apache.calcite.sql.parser.SqlParserPos;

/** Keeps STATE_TTL at projections with windows while sub-queries become joins: Calcite makes other projections, without hints, of those that have some. */
final class LimitedWindows {
  private final List<RelNode> all;
  private final Origins origins;

  private LimitedWindows(List<RelNode> all, Origins origins) {
    this.all = all;
    this.origins = origins;
  }

  /** Notes the windows of a plan. */
  static LimitedWindows of(RelNode plan, Origins origins) {
    return new LimitedWindows(in(plan).toList(), origins);
  }

  private static Stream<RelNode> in(RelNode plan) {
    return Plans.nodes(plan).flatMap(node -> Stream.concat(node instanceof Project project && StateTtl.ofWindows(project) != null ? Stream.of(node) : Stream.empty(),
        Plans.subQueries(node).stream().flatMap(LimitedWindows::in)));
  }

  /** Returns the plan with the sub-queries in projections below those with such windows. */
  RelNode aboveSubQueries(RelNode plan) {
    return all.isEmpty() ? plan : origins.rewrite(plan, node -> node instanceof LogicalProject project && StateTtl.ofWindows(project) != null
        && project.getProjects().stream().anyMatch(LimitedWindows::isSubQuery) ? aboveSubQueries(project) : node);
  }

  private static RelNode aboveSubQueries(LogicalProject project) {
    RexBuilder rex = project.getCluster().getRexBuilder();
    List<RexNode> below = new ArrayList<>(rex.identityProjects(project.getInput().getRowType()));
    List<String> names = new ArrayList<>(project.getInput().getRowType().getFieldNames());
    List<RexNode> above = new ArrayList<>();
    for (RexNode expr : project.getProjects()) {
      boolean query = isSubQuery(expr);
      above.add(query ? rex.makeInputRef(expr.getType(), below.size()) : expr);
      if (query) {
        names.add("$query" + below.size());
        below.add(expr);
      }
    }
    RelNode queries = LogicalProject.create(project.getInput(), List.of(), below, names, project.getVariablesSet());
    return LogicalProject.create(queries, project.getHints(), above, project.getRowType(), Set.of());
  }

  private static boolean isSubQuery(RexNode expr) {
    return RexUtil.SubQueryFinder.find(expr) != null && !RexOver.containsOver(expr);
  }

  /** Checks that none has been lost, since its state would then grow for ever. */
  void check(RelNode plan) {
    if (in(plan).count() < all.size()) {
      throw new DiagnosticException("RT0217", origins.place(all.get(0), SqlParserPos.ZERO), "STATE_TTL cannot be kept for calls with OVER that read a sub-query, or that are in a"
          + " sub-query and read the columns of a query around it", "compute what they read in a sub-query in FROM, or join the sub-query in FROM");
    }
  }
}
