package io.rowtime.plan.rewrite;

import io.rowtime.plan.origin.Origins;
import io.rowtime.plan.rel.Plans;
import io.rowtime.plan.rel.Unnest;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Correlate;
import org.apache.calcite.rel.core.Filter;
import org.apache.calcite.rel.core.Join;
import org.apache.calcite.rel.core.JoinRelType;
import org.apache.calcite.rel.core.Project;
import org.apache.calcite.rel.core.Uncollect;
import org.apache.calcite.rel.core.Values;
import org.apache.calcite.rel.logical.LogicalFilter;
import org.apache.calcite.rel.logical.LogicalProject;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexShuttle;
import org.apache.calcite.rex.RexSubQuery;
import org.apache.calcite.rex.RexUtil;

/** Converts Calcite's plans of UNNEST to {@link Unnest}. */
public final class Unnesting {
  private Unnesting() {}

  /**
   * Returns the plan with every UNNEST replaced by {@link Unnest} where possible; {@code origins} has the origins of
   * its nodes.
   */
  public static RelNode apply(RelNode plan, Origins origins) {
    return Plans.nodes(plan).noneMatch(Uncollect.class::isInstance) ? plan : visit(plan, origins);
  }

  private static RelNode visit(RelNode rel, Origins origins) {
    // The replacement of a join also replaces nodes below it, so the join comes first.
    RelNode made = rel instanceof Correlate || rel instanceof Join ? origins.recordReplacement(rel, of(rel)) : rel;
    RelNode below = origins.withInputs(made, made.getInputs().stream().map(input -> visit(input, origins)).toList())
        .accept(new RexShuttle() {
          @Override public RexNode visitSubQuery(RexSubQuery query) {
            return query.clone(Unnesting.apply(query.rel, origins));
          }
        });
    RelNode done = below instanceof Uncollect uncollect && RelOptUtil.getVariablesUsed(uncollect).isEmpty() ? alone(uncollect) : below;
    return origins.recordReplacement(rel, done);
  }

  /**
   * Converts a join whose right side is an UNNEST over the left row, or over constants, to one operator; returns any
   * other join unchanged.
   */
  private static RelNode of(RelNode rel) {
    if (rel instanceof Correlate correlate) {
      RelNode made = join(new OuterRow(correlate.getLeft(), Set.of(correlate.getCorrelationId())), correlate.getRight(), correlate.getJoinType());
      return made == null ? rel : RelOptUtil.createCastRel(made, rel.getRowType(), true);
    }
    if (rel instanceof Join join && (join.getJoinType() == JoinRelType.INNER || join.getCondition().isAlwaysTrue())) {
      RelNode made = join(new OuterRow(join.getLeft(), Set.of()), join.getRight(), join.getJoinType());
      if (made == null) {
        return rel;
      }
      RelNode named = RelOptUtil.createCastRel(made, rel.getRowType(), true);
      return join.getCondition().isAlwaysTrue() ? named : LogicalFilter.create(named, join.getCondition());
    }
    return rel;
  }

  /** Converts an UNNEST that does not read a column of another input. */
  private static RelNode alone(Uncollect uncollect) {
    RelNode input = uncollect.getInput();
    List<RexNode> collections = refs(input, 0, input.getRowType().getFieldCount());
    Unnest unnest = Unnest.create(input, collections, uncollect.withOrdinality, false, uncollect.getRowType());
    List<RexNode> elements = refs(unnest, collections.size(), unnest.getRowType().getFieldCount());
    return RelOptUtil.createCastRel(LogicalProject.create(unnest, List.of(), elements, (List<String>) null, Set.of()), uncollect.getRowType(), true);
  }

  private static RelNode join(OuterRow left, RelNode right, JoinRelType type) {
    Deque<RelNode> above = new ArrayDeque<>();
    RelNode below = right;
    while (below instanceof Project || below instanceof Filter) {
      above.push(below);
      below = below.getInput(0);
    }
    List<RexNode> collections = below instanceof Uncollect uncollect ? collections(uncollect, left) : null;
    if (collections == null || type != JoinRelType.INNER && type != JoinRelType.LEFT) {
      return null;
    }
    int width = left.input().getRowType().getFieldCount();
    if (type == JoinRelType.LEFT && above.stream().anyMatch(rel -> rel instanceof Filter)) {
      // A left row is kept even if none of its elements satisfies the condition, so elements are filtered before they
      // become rows.
      Elements let = Elements.of(above.peekLast(), left, 0);
      if (let == null) {
        return null;
      }
      collections = List.of(let.array());
      above.removeIf(rel -> rel instanceof Filter);
    }
    RelNode rel = Unnest.create(left.input(), collections, ((Uncollect) below).withOrdinality, type == JoinRelType.LEFT, below.getRowType());
    while (!above.isEmpty()) {
      RelNode next = above.pop();
      if (next instanceof Filter filter) {
        rel = LogicalFilter.create(rel, left.inline(RexUtil.shift(filter.getCondition(), width)));
      } else {
        List<RexNode> fields = refs(rel, 0, width);
        ((Project) next).getProjects().forEach(e -> fields.add(left.inline(RexUtil.shift(e, width))));
        rel = LogicalProject.create(rel, List.of(), fields, (List<String>) null, Set.of());
      }
    }
    return rel;
  }

  /** Returns the collections of an UNNEST, over its outer row; null if they come from a query of their own. */
  static List<RexNode> collections(Uncollect uncollect, OuterRow row) {
    return uncollect.getInput() instanceof Project given && given.getInput() instanceof Values values && values.tuples.size() == 1
        ? given.getProjects().stream().map(row::inline).toList() : null;
  }

  private static List<RexNode> refs(RelNode rel, int from, int to) {
    List<RexNode> refs = new ArrayList<>();
    for (int i = from; i < to; i++) {
      refs.add(RexInputRef.of(i, rel.getRowType()));
    }
    return refs;
  }
}
