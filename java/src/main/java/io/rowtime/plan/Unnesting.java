package io.rowtime.plan;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.rel.RelHomogeneousShuttle;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Correlate;
import org.apache.calcite.rel.core.CorrelationId;
import org.apache.calcite.rel.core.Filter;
import org.apache.calcite.rel.core.Join;
import org.apache.calcite.rel.core.JoinRelType;
import org.apache.calcite.rel.core.Project;
import org.apache.calcite.rel.core.Uncollect;
import org.apache.calcite.rel.core.Values;
import org.apache.calcite.rel.logical.LogicalFilter;
import org.apache.calcite.rel.logical.LogicalProject;
import org.apache.calcite.rex.RexCorrelVariable;
import org.apache.calcite.rex.RexFieldAccess;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexShuttle;
import org.apache.calcite.rex.RexSubQuery;
import org.apache.calcite.rex.RexUtil;

/** Brings what Calcite makes of UNNEST into the form of {@link Unnest}. */
final class Unnesting {
  private Unnesting() {}

  /** The plan in which each UNNEST that can be is an {@link Unnest}; {@code positions} are those of its nodes. */
  static RelNode apply(RelNode plan, Positions positions) {
    return Plans.nodes(plan).noneMatch(Uncollect.class::isInstance) ? plan : plan.accept(new RelHomogeneousShuttle() {
      @Override public RelNode visit(RelNode other) {
        RelNode made = other instanceof Correlate || other instanceof Join ? of(other) : other;
        RelNode below = super.visit(made).accept(new RexShuttle() {
          @Override public RexNode visitSubQuery(RexSubQuery query) {
            return query.clone(Unnesting.apply(query.rel, positions));
          }
        });
        RelNode done = below instanceof Uncollect uncollect && RelOptUtil.getVariablesUsed(uncollect).isEmpty() ? alone(uncollect) : below;
        if (done != other) {
          positions.move(other, done);
        }
        return done;
      }
    });
  }

  /** A join whose right side is an UNNEST over the row on the left, or over constants, as one operator; others as they are. */
  private static RelNode of(RelNode rel) {
    if (rel instanceof Correlate correlate) {
      RelNode made = join(correlate.getLeft(), correlate.getRight(), correlate.getJoinType(), correlate.getCorrelationId());
      return made == null ? rel : RelOptUtil.createCastRel(made, rel.getRowType(), true);
    }
    if (rel instanceof Join join && (join.getJoinType() == JoinRelType.INNER || join.getCondition().isAlwaysTrue())) {
      RelNode made = join(join.getLeft(), join.getRight(), join.getJoinType(), null);
      if (made == null) {
        return rel;
      }
      RelNode named = RelOptUtil.createCastRel(made, rel.getRowType(), true);
      return join.getCondition().isAlwaysTrue() ? named : LogicalFilter.create(named, join.getCondition());
    }
    return rel;
  }

  /** UNNEST of what is no column of another input. */
  private static RelNode alone(Uncollect uncollect) {
    RelNode input = uncollect.getInput();
    List<RexNode> collections = refs(input, 0, input.getRowType().getFieldCount());
    Unnest unnest = Unnest.create(input, collections, uncollect.withOrdinality, false, uncollect.getRowType());
    List<RexNode> elements = refs(unnest, collections.size(), unnest.getRowType().getFieldCount());
    return RelOptUtil.createCastRel(LogicalProject.create(unnest, List.of(), elements, (List<String>) null, Set.of()), uncollect.getRowType(), true);
  }

  private static RelNode join(RelNode left, RelNode right, JoinRelType type, CorrelationId id) {
    Deque<RelNode> above = new ArrayDeque<>();
    RelNode below = right;
    while (below instanceof Project || below instanceof Filter) {
      above.push(below);
      below = below.getInput(0);
    }
    if (!(below instanceof Uncollect uncollect) || !(uncollect.getInput() instanceof Project given)
        || !(given.getInput() instanceof Values values) || values.tuples.size() != 1
        || type != JoinRelType.INNER && type != JoinRelType.LEFT) {
      return null;
    }
    if (type == JoinRelType.LEFT && above.stream().anyMatch(rel -> rel instanceof Filter)) {
      // A row none of whose elements is let through would have to stay.
      return null;
    }
    int width = left.getRowType().getFieldCount();
    List<RexNode> collections = given.getProjects().stream().map(e -> ofLeft(e, left, id)).toList();
    RelNode rel = Unnest.create(left, collections, uncollect.withOrdinality, type == JoinRelType.LEFT, uncollect.getRowType());
    while (!above.isEmpty()) {
      RelNode next = above.pop();
      if (next instanceof Filter filter) {
        rel = LogicalFilter.create(rel, ofLeft(RexUtil.shift(filter.getCondition(), width), left, id));
      } else {
        List<RexNode> fields = refs(rel, 0, width);
        ((Project) next).getProjects().forEach(e -> fields.add(ofLeft(RexUtil.shift(e, width), left, id)));
        rel = LogicalProject.create(rel, List.of(), fields, (List<String>) null, Set.of());
      }
    }
    return rel;
  }

  private static List<RexNode> refs(RelNode rel, int from, int to) {
    List<RexNode> refs = new ArrayList<>();
    for (int i = from; i < to; i++) {
      refs.add(RexInputRef.of(i, rel.getRowType()));
    }
    return refs;
  }

  /** The columns of the row on the left, as those of the input. */
  private static RexNode ofLeft(RexNode expression, RelNode left, CorrelationId id) {
    return id == null ? expression : expression.accept(new RexShuttle() {
      @Override public RexNode visitFieldAccess(RexFieldAccess access) {
        return access.getReferenceExpr() instanceof RexCorrelVariable variable && variable.id.equals(id)
            ? RexInputRef.of(access.getField().getIndex(), left.getRowType()) : super.visitFieldAccess(access);
      }
    });
  }
}
