package io.rowtime.plan.rewrite;

import io.rowtime.plan.origin.DecorrelatedOrigins;
import io.rowtime.plan.origin.Origins;
import io.rowtime.plan.rel.SessionAggregate;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.plan.RelTraitSet;
import org.apache.calcite.rel.AbstractRelNode;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.RelWriter;
import org.apache.calcite.rel.core.Aggregate;
import org.apache.calcite.rel.core.AsofJoin;
import org.apache.calcite.rel.core.Correlate;
import org.apache.calcite.rel.core.CorrelationId;
import org.apache.calcite.rel.core.Filter;
import org.apache.calcite.rel.core.Join;
import org.apache.calcite.rel.core.Project;
import org.apache.calcite.rel.logical.LogicalAggregate;
import org.apache.calcite.rel.logical.LogicalProject;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexCorrelVariable;
import org.apache.calcite.rex.RexFieldAccess;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexOver;
import org.apache.calcite.rex.RexShuttle;
import org.apache.calcite.rex.RexWindow;
import org.apache.calcite.sql2rel.RelDecorrelator;
import org.apache.calcite.tools.RelBuilder;
import org.apache.calcite.tools.RelBuilderFactory;

/**
 * Replaces nodes that refer to another row (Correlate) by joins. Calcite does this, but it rebuilds every node that it
 * sees, and not all of them right: an aggregate of another class becomes a plain one and an ASOF JOIN a plain join, keys
 * that are constants are lost, which moves the columns of grouping sets and of WITHIN GROUP, and it gives up at others.
 * Therefore a part of the plan that refers to no row outside is hidden from it as a leaf, if a node is at its top that
 * Calcite does not just pass through.
 */
final class Decorrelation {
  /**
   * Builds a GROUP BY exactly as requested. Otherwise the builder may drop or reorder columns of its input, and
   * Calcite's decorrelation, which does not expect that, would use the wrong columns.
   */
  private static final RelBuilderFactory BUILDER = RelBuilder.proto(
      RelBuilder.Config.DEFAULT.withPruneInputOfAggregate(false));

  private final Origins origins;

  private Decorrelation(Origins origins) {
    this.origins = origins;
  }

  /** Returns the plan with joins; unchanged where an operator cannot work for each row of another input. */
  static RelNode apply(RelNode plan, Origins origins) {
    Decorrelation decorrelation = new Decorrelation(origins);
    RelNode hidden = origins.rewrite(plan, decorrelation::prepare);
    return decorrelation.joined(hidden);
  }

  private RelNode joined(RelNode hidden) {
    RelNode joins = RelDecorrelator.decorrelateQuery(hidden, BUILDER.create(hidden.getCluster(), null));
    DecorrelatedOrigins.find(hidden, joins, origins);
    return origins.rewrite(joins, Decorrelation::restore);
  }

  private RelNode prepare(RelNode rel) {
    if (rel instanceof Aggregate && !outerRows(rel).isEmpty()) {
      return OuterAggregates.prepare(rel instanceof SessionAggregate sessions ? sessions.toPlain() : (LogicalAggregate) rel);
    }
    if (rel instanceof LogicalProject project && RexOver.containsOver(project.getProjects(), null)) {
      return perOuterRow(project);
    }
    if (isPassed(rel) || rel.getInputs().isEmpty() || !outerRows(rel).isEmpty()) {
      return rel;
    }
    return new Hidden(rel.copy(rel.getTraitSet(), rel.getInputs().stream().map(this::joined).toList()));
  }

  private static RelNode restore(RelNode rel) {
    return rel instanceof Hidden hidden ? hidden.rel : OuterAggregates.restore(rel);
  }

  /** Returns whether Calcite moves conditions and columns through nodes of this class, and rebuilds them right. */
  private static boolean isPassed(RelNode rel) {
    return rel instanceof Project || rel instanceof Filter || rel instanceof Correlate || rel instanceof Join && !(rel instanceof AsofJoin);
  }

  /** Returns the rows outside of a part of the plan to which it refers. */
  private static Set<CorrelationId> outerRows(RelNode rel) {
    return RelOptUtil.getVariablesUsed(rel);
  }

  /**
   * Analytic calls of a sub-query see the rows of the sub-query for one row outside. A join has the rows for all of
   * them, so the columns of the outer row that the sub-query reads become partition keys.
   */
  private static RelNode perOuterRow(LogicalProject project) {
    List<RexNode> keys = outerColumns(project.getInput());
    if (keys.isEmpty()) {
      return project;
    }
    RexBuilder rex = project.getCluster().getRexBuilder();
    List<RexNode> exprs = project.getProjects().stream().map(expr -> expr.accept(new RexShuttle() {
      @Override public RexNode visitOver(RexOver over) {
        RexWindow window = over.getWindow();
        List<RexNode> partition = new ArrayList<>(window.partitionKeys);
        partition.addAll(keys);
        return rex.makeOver(over.getType(), over.getAggOperator(), over.getOperands(), partition, window.orderKeys, window.getLowerBound(),
            window.getUpperBound(), window.getExclude(), window.isRows(), true, false, over.isDistinct(), over.ignoreNulls());
      }
    })).toList();
    return LogicalProject.create(project.getInput(), project.getHints(), exprs, project.getRowType(), project.getVariablesSet());
  }

  /** Returns the columns of rows outside that a part of the plan reads. */
  private static List<RexNode> outerColumns(RelNode rel) {
    Set<CorrelationId> outer = outerRows(rel);
    Set<RexNode> found = new LinkedHashSet<>();
    if (!outer.isEmpty()) {
      collect(rel, outer, found);
    }
    return List.copyOf(found);
  }

  private static void collect(RelNode rel, Set<CorrelationId> outer, Set<RexNode> found) {
    rel.accept(new RexShuttle() {
      @Override public RexNode visitFieldAccess(RexFieldAccess access) {
        if (access.getReferenceExpr() instanceof RexCorrelVariable variable && outer.contains(variable.id)) {
          found.add(access);
        }
        return super.visitFieldAccess(access);
      }
    });
    rel.getInputs().forEach(input -> collect(input, outer, found));
  }

  /** A part of the plan that Calcite does not see. */
  private static final class Hidden extends AbstractRelNode {
    private final RelNode rel;

    Hidden(RelNode rel) {
      super(rel.getCluster(), rel.getTraitSet());
      this.rel = rel;
      this.rowType = rel.getRowType();
    }

    @Override public RelNode copy(RelTraitSet traits, List<RelNode> inputs) {
      return this;
    }

    /** Equal parts from different places of the text stay apart, as everywhere in the plan. */
    @Override public RelWriter explainTerms(RelWriter writer) {
      return super.explainTerms(writer).item("hidden", rel.getId());
    }
  }
}
