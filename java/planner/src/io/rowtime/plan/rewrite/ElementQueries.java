package io.rowtime.plan.rewrite;

import io.rowtime.plan.origin.Origins;
import io.rowtime.plan.rel.Plans;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Aggregate;
import org.apache.calcite.rel.core.AggregateCall;
import org.apache.calcite.rel.core.Filter;
import org.apache.calcite.rel.core.Project;
import org.apache.calcite.rel.logical.LogicalFilter;
import org.apache.calcite.rel.logical.LogicalProject;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexShuttle;
import org.apache.calcite.rex.RexSubQuery;
import org.apache.calcite.rex.RexUtil;
import org.apache.calcite.sql.SqlOperator;
import org.apache.calcite.sql.fun.SqlQuantifyOperator;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;

/**
 * Replaces queries over the elements of an array of the current row by expressions: EXISTS, IN, SOME and ALL, an
 * aggregate, and ARRAY. Calcite would convert them to joins, which a stream cannot have.
 */
public final class ElementQueries {
  private final Origins origins;
  private int variables;

  private ElementQueries(Origins origins) {
    this.origins = origins;
  }

  /** Returns the plan with such queries replaced; {@code origins} has the origins of its nodes. */
  public static RelNode apply(RelNode plan, Origins origins) {
    return Plans.nodes(plan).allMatch(node -> Plans.subQueries(node).isEmpty()) ? plan : new ElementQueries(origins).rewrite(plan);
  }

  private RelNode rewrite(RelNode plan) {
    return origins.rewrite(plan, node ->
        Plans.subQueries(node).isEmpty() ? node : withoutVariables(node.accept(expressions(node))));
  }

  private RexShuttle expressions(RelNode node) {
    return new RexShuttle() {
      @Override public RexNode visitSubQuery(RexSubQuery query) {
        RexSubQuery whole = (RexSubQuery) super.visitSubQuery(query);
        RexSubQuery inner = whole.clone(rewrite(whole.rel));
        RexNode made = node.getInputs().size() == 1 ? expression(inner, node) : null;
        return made == null ? inner : made;
      }
    };
  }

  /** Removes the correlation variables of a node without queries; nothing below refers to its row. */
  private static RelNode withoutVariables(RelNode node) {
    if (!Plans.subQueries(node).isEmpty() || node.getVariablesSet().isEmpty()) {
      return node;
    }
    if (node instanceof Filter filter) {
      return LogicalFilter.create(filter.getInput(), filter.getCondition());
    }
    return node instanceof Project project
        ? LogicalProject.create(project.getInput(), project.getHints(), project.getProjects(), project.getRowType(), Set.of()) : node;
  }

  private RexNode expression(RexSubQuery query, RelNode node) {
    RexBuilder rex = node.getCluster().getRexBuilder();
    return switch (query.getKind()) {
      case SCALAR_QUERY -> aggregate(query.rel, node);
      case EXISTS -> {
        Elements elements = elements(query.rel, node);
        yield elements == null ? null : rex.makeCall(SqlStdOperatorTable.IS_TRUE, elements.any(rex.makeLiteral(true)));
      }
      case ARRAY_QUERY_CONSTRUCTOR -> {
        Elements elements = elements(query.rel, node);
        yield elements == null || query.rel.getRowType().getFieldCount() > 1 ? null : elements.map(0);
      }
      case IN -> comparison(query, SqlStdOperatorTable.EQUALS, node);
      case SOME -> comparison(query, RelOptUtil.op(((SqlQuantifyOperator) query.op).comparisonKind, null), node);
      default -> null;
    };
  }

  private Elements elements(RelNode query, RelNode node) {
    return Elements.of(query, row(node), ++variables);
  }

  private RexNode comparison(RexSubQuery query, SqlOperator operator, RelNode node) {
    Elements elements = elements(query.rel, node);
    if (elements == null) {
      return null;
    }
    RexBuilder rex = node.getCluster().getRexBuilder();
    List<RexNode> conditions = new ArrayList<>();
    for (int i = 0; i < query.operands.size(); i++) {
      conditions.add(rex.makeCall(operator, query.operands.get(i), elements.output(i)));
    }
    RexNode any = elements.any(RexUtil.composeConjunction(rex, conditions));
    return query.getType().isNullable() ? any : rex.makeCall(SqlStdOperatorTable.IS_TRUE, any);
  }

  /** Converts an aggregate of all elements, and expressions over it. */
  private RexNode aggregate(RelNode query, RelNode node) {
    if (query instanceof Project project && Plans.subQueries(project).isEmpty()) {
      List<RexNode> below = aggregates(project.getInput(), node);
      return below == null ? null : row(node).inline(project.getProjects().get(0), ref -> below.get(ref.getIndex()));
    }
    List<RexNode> found = aggregates(query, node);
    return found == null ? null : found.get(0);
  }

  private List<RexNode> aggregates(RelNode query, RelNode node) {
    Elements elements = query instanceof Aggregate aggregate && aggregate.getGroupCount() == 0 && aggregate.getGroupSets().size() == 1
        ? elements(aggregate.getInput(), node) : null;
    if (elements == null) {
      return null;
    }
    List<RexNode> found = ((Aggregate) query).getAggCallList().stream().map(call -> aggregate(call, elements)).toList();
    return found.contains(null) ? null : found;
  }

  private static RexNode aggregate(AggregateCall call, Elements elements) {
    if (call.isDistinct() || call.getArgList().size() > 1 || !call.getCollation().getFieldCollations().isEmpty()) {
      return null;
    }
    Elements counted = call.filterArg < 0 ? elements : elements.where(elements.output(call.filterArg));
    return counted.aggregate(call.getAggregation().getKind(), call.getArgList().isEmpty() ? -1 : call.getArgList().get(0), call.getType());
  }

  private static OuterRow row(RelNode node) {
    return new OuterRow(node.getInput(0), node.getVariablesSet());
  }
}
