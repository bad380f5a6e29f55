package io.rowtime.plan.rewrite;

import com.google.common.collect.ImmutableSet;
import io.rowtime.plan.monotone.StreamingNodes;
import io.rowtime.plan.origin.Origins;
import io.rowtime.plan.rel.Plans;
import io.rowtime.plan.rel.WindowedInput;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.CorrelationId;
import org.apache.calcite.rel.core.JoinRelType;
import org.apache.calcite.rel.logical.LogicalFilter;
import org.apache.calcite.rel.logical.LogicalJoin;
import org.apache.calcite.rel.logical.LogicalProject;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexCorrelVariable;
import org.apache.calcite.rex.RexFieldAccess;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexShuttle;
import org.apache.calcite.rex.RexSubQuery;
import org.apache.calcite.rex.RexUtil;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;

/**
 * Replaces EXISTS, IN and their negations by semi-joins and anti-joins, where Calcite's own rules do not serve: in a
 * filter of a stream that asks for rows of another stream, Calcite's decorrelation would join the stream with itself; and
 * they take every row with a NULL for one that may be equal in {@code (a, b) NOT IN (…)}, also if another column differs.
 *
 * <p>Only plain sub-queries, filters over the other input, are replaced; all others are left to {@link RowMembership}
 * and Calcite.
 */
final class SemiJoins {
  private final LogicalFilter filter;
  private final RexBuilder rex;
  private final int width;
  private final boolean ofStreams;

  private SemiJoins(LogicalFilter filter, boolean ofStreams) {
    this.filter = filter;
    this.ofStreams = ofStreams && StreamingNodes.readsStream(filter);
    this.rex = filter.getCluster().getRexBuilder();
    this.width = filter.getRowType().getFieldCount();
  }

  /** @param ofStreams whether what a stream asks of another stream is replaced, too */
  static RelNode replace(RelNode plan, boolean ofStreams, Origins origins) {
    if (Plans.nodes(plan).allMatch(node -> Plans.subQueries(node).isEmpty())) {
      return plan;
    }
    return origins.rewrite(plan, node -> node instanceof LogicalFilter filter ? new SemiJoins(filter, ofStreams).rewrite() : node);
  }

  private RelNode rewrite() {
    RelNode joined = filter.getInput();
    List<RexNode> others = new ArrayList<>();
    for (RexNode conjunct : RelOptUtil.conjunctions(filter.getCondition())) {
      boolean negated = conjunct.isA(SqlKind.NOT);
      RexNode asked = negated ? ((RexCall) conjunct).getOperands().get(0) : conjunct;
      RelNode join = asked instanceof RexSubQuery query ? join(joined, query, negated) : null;
      if (join == null) {
        others.add(conjunct);
      } else {
        joined = join;
      }
    }
    if (joined == filter.getInput()) {
      return filter;
    }
    RexNode rest = RexUtil.composeConjunction(rex, others);
    return rest.isAlwaysTrue() ? joined : LogicalFilter.create(joined, rest, ImmutableSet.copyOf(filter.getVariablesSet()));
  }

  /** Returns the join that keeps the rows for which the query has a row, or no row; null if there is no such join. */
  private RelNode join(RelNode left, RexSubQuery query, boolean negated) {
    if (query.getKind() != SqlKind.EXISTS && query.getKind() != SqlKind.IN) {
      return null;
    }
    boolean streams = ofStreams && StreamingNodes.readsStream(query.rel);
    if (!streams && !(negated && comparesRowsWithNulls(query))) {
      return null;
    }
    List<RexNode> conditions = new ArrayList<>();
    RelNode right = query.rel;
    List<RexNode> values = toJoined(rex.identityProjects(right.getRowType()));
    if (right instanceof LogicalProject project) {
      values = toJoined(project.getProjects());
      right = project.getInput();
    }
    List<RexNode> own = new ArrayList<>();
    if (right instanceof LogicalFilter inner && inner.getVariablesSet().isEmpty()) {
      // A window of ROWS counts its rows before any condition is applied.
      boolean rows = inner.getInput() instanceof WindowedInput windowed && windowed.frame().rows();
      for (RexNode conjunct : RelOptUtil.conjunctions(inner.getCondition())) {
        if (!rows && !isCorrelated(conjunct)) {
          own.add(conjunct);
        } else {
          conditions.add(toJoined(conjunct));
        }
      }
      right = inner.getInput();
    }
    if (query.getKind() == SqlKind.IN) {
      for (int i = 0; i < values.size(); i++) {
        conditions.add(equal(query.getOperands().get(i), values.get(i), negated));
      }
    }
    if (values.contains(null) || conditions.contains(null) || RelOptUtil.getVariablesUsed(right).stream().anyMatch(this::isOurs)
        || !streams && conditions.stream().anyMatch(RexUtil::containsCorrelation)) {
      return null;
    }
    RelNode kept = own.isEmpty() ? right : LogicalFilter.create(right, RexUtil.composeConjunction(rex, own));
    return LogicalJoin.create(left, kept, List.of(), RexUtil.composeConjunction(rex, conditions), Set.of(),
        negated ? JoinRelType.ANTI : JoinRelType.SEMI);
  }

  private static boolean comparesRowsWithNulls(RexSubQuery query) {
    return query.getKind() == SqlKind.IN && query.getOperands().size() > 1
        && (query.getOperands().stream().anyMatch(value -> value.getType().isNullable())
            || query.rel.getRowType().getFieldList().stream().anyMatch(field -> field.getType().isNullable()));
  }

  /** {@code x NOT IN (…)} is not true if either value is NULL. */
  private RexNode equal(RexNode left, RexNode right, boolean negated) {
    if (right == null) {
      return null;
    }
    RexNode equal = rex.makeCall(SqlStdOperatorTable.EQUALS, left, right);
    List<RexNode> either = new ArrayList<>(List.of(equal));
    for (RexNode side : List.of(left, right)) {
      if (negated && side.getType().isNullable()) {
        either.add(rex.makeCall(SqlStdOperatorTable.IS_NULL, side));
      }
    }
    return RexUtil.composeDisjunction(rex, either);
  }

  private boolean isOurs(CorrelationId id) {
    return filter.getVariablesSet().contains(id);
  }

  private boolean isCorrelated(RexNode expr) {
    return toJoined(expr) == null || RexUtil.containsCorrelation(expr);
  }

  private List<RexNode> toJoined(List<RexNode> exprs) {
    List<RexNode> found = new ArrayList<>();
    exprs.forEach(expr -> found.add(toJoined(expr)));
    return found;
  }

  /** Converts an expression of the sub-query to the columns of both sides; null if it contains another query. */
  private RexNode toJoined(RexNode expr) {
    if (RexUtil.SubQueryFinder.find(expr) != null) {
      return null;
    }
    return expr.accept(new RexShuttle() {
      @Override public RexNode visitInputRef(RexInputRef ref) {
        return rex.makeInputRef(ref.getType(), width + ref.getIndex());
      }

      @Override public RexNode visitFieldAccess(RexFieldAccess access) {
        boolean ours = access.getReferenceExpr() instanceof RexCorrelVariable variable && isOurs(variable.id);
        return ours ? rex.makeInputRef(access.getType(), access.getField().getIndex()) : super.visitFieldAccess(access);
      }
    });
  }
}
