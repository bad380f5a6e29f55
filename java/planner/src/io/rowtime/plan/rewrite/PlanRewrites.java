package io.rowtime.plan.rewrite;

import io.rowtime.plan.convert.HopCalls;
import io.rowtime.plan.origin.Origins;
import io.rowtime.plan.rel.Plans;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Project;
import org.apache.calcite.rel.logical.LogicalProject;
import org.apache.calcite.rel.rules.CoreRules;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexOver;

/**
 * Rewrites a converted plan to the operators of the plan contract. Rewrites that a query does not need cost nothing.
 */
public final class PlanRewrites {
  private PlanRewrites() {}

  /** @param mayChange whether a streaming query may have a result that changes */
  public static RelNode apply(RelNode rel, boolean streaming, Origins origins, boolean mayChange) {
    TemporalJoins.check(rel, origins);
    RelNode read = streaming ? ChangeScans.replace(rel, origins, mayChange) : rel;
    RelNode plan = Snapshots.replace(SearchKeys.replace(TemporalJoins.prepare(ChangelogTables.replace(read, streaming, origins), origins), origins), origins);
    plan = SemiJoins.replace(streaming ? plan : WindowedRelations.replace(plan, origins), streaming, origins);
    plan = RowMembership.replace(plan, origins);
    boolean correlated = Laterals.any(plan) && !Laterals.anyOther(plan);
    if (correlated) {
      plan = origins.rewrite(plan, Laterals::prepare);
    }
    LimitedWindows limited = LimitedWindows.of(plan, origins);
    List<RelNode> queries = subQueries(plan);
    correlated |= !queries.isEmpty();
    plan = queries.isEmpty() ? plan : limited.aboveSubQueries(plan);
    // Once the query of a SELECT item is part of the plan, so are those in its WHERE.
    for (List<RelNode> before = List.of(); !queries.equals(before); queries = subQueries(plan)) {
      before = queries;
      plan = origins.apply(plan, CoreRules.FILTER_SUB_QUERY_TO_CORRELATE, CoreRules.PROJECT_SUB_QUERY_TO_CORRELATE,
          CoreRules.JOIN_SUB_QUERY_TO_CORRELATE);
    }
    if (correlated) {
      plan = Decorrelation.apply(plan, origins);
      limited.check(plan);
    }
    plan = origins.rewrite(plan, CalendarTumbles::replace);
    plan = TemporalJoins.ofRelations(AsofJoins.replace(plan, streaming, origins), streaming, origins);
    if (anyOver(plan)) {
      plan = origins.rewrite(plan, node -> node instanceof LogicalProject project ? withNames(HopCalls.aboveWindows(project)) : node);
      plan = origins.apply(plan, CoreRules.PROJECT_TO_LOGICAL_PROJECT_AND_WINDOW);
    }
    plan = origins.rewrite(plan, node -> node instanceof LogicalProject project ? HopCalls.groupFunction(project) : node);
    RelNode joined = streaming ? joined(plan, origins, mayChange) : plan;
    JoinWindows.check(joined, origins);
    if (!streaming) {
      return RepeatedCalls.replace(ConditionCalls.replace(plan, origins), origins);
    }
    return JoinRowtimes.ofInputs(LookupJoins.replace(RepeatedCalls.replace(ConditionCalls.replace(joined, origins), origins), origins), origins);
  }

  /** Returns whether a converted query reads a stream anywhere: if its result may change, its tables are then not read by their changes. */
  public static boolean readsStream(RelNode query) {
    return ChangeScans.readsStream(query);
  }

  private static RelNode joined(RelNode plan, Origins origins, boolean mayChange) {
    RelNode merged = MergedRowtimes.replace(SetOperations.replace(plan, origins), origins);
    return TemporalJoins.ofStreams(IntervalJoins.replace(merged, origins, mayChange), origins);
  }

  /**
   * Calcite's window rule names columns that are only passed through after the columns below; this restores the names.
   */
  private static RelNode withNames(RelNode rel) {
    if (!(rel instanceof LogicalProject project) || !RexOver.containsOver(project.getProjects(), null)) {
      return rel;
    }
    List<String> names = project.getRowType().getFieldNames();
    List<String> below = project.getInput().getRowType().getFieldNames();
    boolean kept = IntStream.range(0, names.size()).allMatch(i -> !(project.getProjects().get(i) instanceof RexInputRef ref)
        || below.get(ref.getIndex()).equals(names.get(i)));
    return kept ? project : LogicalProject.create(project, List.of(),
        project.getCluster().getRexBuilder().identityProjects(project.getRowType()), names, Set.of());
  }

  private static List<RelNode> subQueries(RelNode plan) {
    return Plans.nodes(plan).flatMap(node -> Plans.subQueries(node).stream()).toList();
  }

  private static boolean anyOver(RelNode rel) {
    return rel instanceof Project project && RexOver.containsOver(project.getProjects(), null)
        || rel.getInputs().stream().anyMatch(PlanRewrites::anyOver);
  }
}
