package io.rowtime.plan;

import io.rowtime.plan.monotone.Streams;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.apache.calcite.plan.RelOptRule;
import org.apache.calcite.plan.hep.HepPlanner;
import org.apache.calcite.plan.hep.HepProgramBuilder;
import org.apache.calcite.rel.RelHomogeneousShuttle;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Project;
import org.apache.calcite.rel.logical.LogicalAggregate;
import org.apache.calcite.rel.logical.LogicalProject;
import org.apache.calcite.rel.logical.LogicalUnion;
import org.apache.calcite.rel.rules.CoreRules;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexOver;
import org.apache.calcite.sql2rel.RelDecorrelator;
import org.apache.calcite.tools.RelBuilder;
import org.apache.calcite.tools.RelBuilderFactory;
import org.apache.calcite.util.ImmutableBitSet;

/** Brings a converted plan into the operators of the plan contract; what a query does not have costs it nothing. */
final class PlanRewrites {
  /**
   * Makes of a GROUP BY what it is asked for. Calcite's decorrelation does not expect that it leaves out or reorders columns of
   * what is grouped, and takes others in their place.
   */
  private static final RelBuilderFactory BUILDER = RelBuilder.proto(
      RelBuilder.Config.DEFAULT.withPruneInputOfAggregate(false));

  private PlanRewrites() {}

  static RelNode apply(RelNode rel, boolean streaming) {
    RelNode plan = rel;
    boolean correlated = Laterals.any(plan) && !Laterals.anyOther(plan);
    if (correlated) {
      plan = Laterals.prepared(plan);
    }
    if (Plans.nodes(plan).anyMatch(node -> !Plans.subQueries(node).isEmpty())) {
      correlated = true;
      plan = hep(plan, CoreRules.FILTER_SUB_QUERY_TO_CORRELATE, CoreRules.PROJECT_SUB_QUERY_TO_CORRELATE,
          CoreRules.JOIN_SUB_QUERY_TO_CORRELATE);
    }
    if (correlated) {
      plan = RelDecorrelator.decorrelateQuery(plan, BUILDER.create(plan.getCluster(), null));
    }
    plan = CalendarTumbles.replace(plan);
    if (anyOver(plan)) {
      plan = plan.accept(new RelHomogeneousShuttle() {
        @Override public RelNode visit(LogicalProject project) {
          return super.visit(project) instanceof LogicalProject same ? named(HopCalls.aboveWindows(same)) : project;
        }
      });
      plan = hep(plan, CoreRules.PROJECT_TO_LOGICAL_PROJECT_AND_WINDOW);
    }
    plan = hops(plan);
    return streaming ? IntervalJoins.replace(distinctUnions(plan)) : plan;
  }

  /** Calcite's rule for windows gives columns that are only handed on the names that they have below. */
  private static RelNode named(RelNode rel) {
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

  private static RelNode hops(RelNode rel) {
    return rel.accept(new RelHomogeneousShuttle() {
      @Override public RelNode visit(LogicalProject project) {
        return super.visit(project) instanceof LogicalProject same ? HopCalls.groupFunction(same) : project;
      }
    });
  }

  /** UNION of streams is UNION ALL, then DISTINCT: a GROUP BY on all columns. */
  private static RelNode distinctUnions(RelNode rel) {
    Streams streams = Streams.of(rel, true);
    return rel.accept(new RelHomogeneousShuttle() {
      @Override public RelNode visit(LogicalUnion union) {
        RelNode below = super.visit(union);
        if (!(below instanceof LogicalUnion u) || u.all || !streams.contains(union)) {
          return below;
        }
        RelNode all = LogicalUnion.create(u.getInputs(), true);
        return LogicalAggregate.create(all, List.of(), ImmutableBitSet.range(all.getRowType().getFieldCount()), null, List.of());
      }
    });
  }

  static RelNode hep(RelNode rel, RelOptRule... rules) {
    HepProgramBuilder program = new HepProgramBuilder();
    for (RelOptRule rule : rules) {
      program.addRuleInstance(rule);
    }
    HepPlanner planner = new HepPlanner(program.build());
    planner.setRoot(rel);
    return planner.findBestExp();
  }

  private static boolean anyOver(RelNode rel) {
    return rel instanceof Project project && RexOver.containsOver(project.getProjects(), null)
        || rel.getInputs().stream().anyMatch(PlanRewrites::anyOver);
  }
}
