package io.rowtime.plan.rewrite;

import io.rowtime.plan.rel.SessionAggregate;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.rel.RelCollation;
import org.apache.calcite.rel.RelCollations;
import org.apache.calcite.rel.RelFieldCollation;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Aggregate;
import org.apache.calcite.rel.core.AggregateCall;
import org.apache.calcite.rel.core.Filter;
import org.apache.calcite.rel.core.Project;
import org.apache.calcite.rel.logical.LogicalAggregate;
import org.apache.calcite.rel.logical.LogicalProject;
import org.apache.calcite.rel.logical.LogicalUnion;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexShuttle;
import org.apache.calcite.rex.RexUtil;
import org.apache.calcite.sql.SqlAggFunction;
import org.apache.calcite.sql.SqlFunction;
import org.apache.calcite.sql.SqlFunctionCategory;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.type.OperandTypes;
import org.apache.calcite.sql.type.ReturnTypes;
import org.apache.calcite.util.ImmutableBitSet;

/**
 * Aggregates below which a row outside is read, in a form that Calcite's decorrelation rebuilds right. It puts the
 * columns of the outer row beside the keys, but leaves the order of WITHIN GROUP at the places of the old input, does
 * not add these columns to all grouping sets, has no row for an empty grouping set without rows, and moves them when it
 * puts a constant key back. Hence columns that order a call are arguments of it, each grouping set is an aggregate of
 * its own, and constant keys do not look like constants.
 */
final class OuterAggregates {
  private static final SqlFunction KEY = new SqlFunction("$KEY", SqlKind.OTHER_FUNCTION, ReturnTypes.ARG0, null,
      OperandTypes.ANY, SqlFunctionCategory.SYSTEM);

  private OuterAggregates() {}

  static RelNode prepare(LogicalAggregate aggregate) {
    return aggregate.getGroupType() == Aggregate.Group.SIMPLE ? simple(aggregate) : union(aggregate);
  }

  /** Restores what {@link #prepare} has made, wherever it is now. */
  static RelNode restore(RelNode rel) {
    if (rel instanceof LogicalAggregate aggregate) {
      List<AggregateCall> calls = aggregate.getAggCallList().stream().map(OuterAggregates::withOrder).toList();
      return SessionAggregate.of(LogicalAggregate.create(aggregate.getInput(), aggregate.getHints(), aggregate.getGroupSet(),
          aggregate.getGroupSets(), calls));
    }
    return rel.accept(new RexShuttle() {
      @Override public RexNode visitCall(RexCall call) {
        return call.getOperator() == KEY ? call.getOperands().get(0).accept(this) : super.visitCall(call);
      }
    });
  }

  private static LogicalAggregate simple(LogicalAggregate aggregate) {
    List<AggregateCall> calls = aggregate.getAggCallList().stream().map(OuterAggregates::withArguments).toList();
    return LogicalAggregate.create(withKeys(aggregate), aggregate.getHints(), aggregate.getGroupSet(), null, calls);
  }

  /** Returns the input of an aggregate, with the keys that are constants in a form that does not show it. */
  private static RelNode withKeys(LogicalAggregate aggregate) {
    RelNode input = aggregate.getInput();
    ImmutableBitSet constants = ImmutableBitSet.of(aggregate.getGroupSet().asList().stream().filter(key -> isConstant(input, key)).toList());
    if (constants.isEmpty() || aggregate.getGroupCount() == 1) {
      return input;
    }
    RexBuilder rex = aggregate.getCluster().getRexBuilder();
    LogicalProject project = input instanceof LogicalProject own ? own
        : LogicalProject.create(input, List.of(), rex.identityProjects(input.getRowType()), input.getRowType(), Set.of());
    List<RexNode> exprs = new ArrayList<>(project.getProjects());
    constants.forEach(key -> exprs.set(key, rex.makeCall(KEY, exprs.get(key))));
    return LogicalProject.create(project.getInput(), project.getHints(), exprs, project.getRowType(), project.getVariablesSet());
  }

  private static boolean isConstant(RelNode rel, int column) {
    if (rel instanceof Filter filter) {
      return isConstant(filter.getInput(), column);
    }
    if (!(rel instanceof Project project)) {
      return false;
    }
    RexNode expr = project.getProjects().get(column);
    return expr instanceof RexInputRef ref ? isConstant(project.getInput(), ref.getIndex()) : RexUtil.isConstant(expr);
  }

  /** Returns GROUPING SETS as the rows of a GROUP BY for each of them. */
  private static RelNode union(LogicalAggregate aggregate) {
    List<RelNode> branches = aggregate.getGroupSets().stream().map(set -> branch(aggregate, set)).toList();
    RelNode all = branches.size() == 1 ? branches.get(0) : LogicalUnion.create(branches, true);
    return RelOptUtil.createCastRel(all, aggregate.getRowType(), true);
  }

  private static RelNode branch(LogicalAggregate aggregate, ImmutableBitSet set) {
    RelNode input = aggregate.getInput();
    List<AggregateCall> calls = aggregate.getAggCallList().stream().filter(call -> !isGrouping(call))
        .map(call -> withArguments(AggregateCall.create(call.getParserPosition(), call.getAggregation(), call.isDistinct(),
            call.isApproximate(), call.ignoreNulls(), call.rexList, call.getArgList(), call.filterArg, call.distinctKeys,
            call.getCollation(), set.isEmpty(), input, null, call.name)))
        .toList();
    LogicalAggregate simple = LogicalAggregate.create(input, aggregate.getHints(), set, null, List.of());
    RelNode group = LogicalAggregate.create(withKeys(simple), aggregate.getHints(), set, null, calls);
    RexBuilder rex = aggregate.getCluster().getRexBuilder();
    List<RexNode> exprs = new ArrayList<>();
    for (int key : aggregate.getGroupSet()) {
      exprs.add(set.get(key) ? rex.makeInputRef(group, set.indexOf(key)) : rex.makeNullLiteral(input.getRowType().getFieldList().get(key).getType()));
    }
    int place = set.cardinality();
    for (AggregateCall call : aggregate.getAggCallList()) {
      exprs.add(isGrouping(call) ? rex.makeLiteral(grouping(call, set), call.getType()) : rex.makeInputRef(group, place++));
    }
    return LogicalProject.create(group, List.of(), exprs, aggregate.getRowType().getFieldNames(), Set.of());
  }

  private static boolean isGrouping(AggregateCall call) {
    return switch (call.getAggregation().getKind()) {
      case GROUPING, GROUPING_ID, GROUP_ID -> true;
      default -> false;
    };
  }

  /** Returns the value of GROUPING in the rows of a grouping set: a bit for each argument, which is 1 if it is not a key. */
  private static long grouping(AggregateCall call, ImmutableBitSet set) {
    return call.getArgList().stream().mapToLong(key -> set.get(key) ? 0 : 1).reduce(0, (bits, bit) -> 2 * bits + bit);
  }

  private static AggregateCall withArguments(AggregateCall call) {
    if (call.getCollation().getFieldCollations().isEmpty()) {
      return call;
    }
    List<Integer> arguments = new ArrayList<>(call.getArgList());
    arguments.addAll(call.getCollation().getKeys());
    return call(call, new Ordered(call), arguments, RelCollations.EMPTY);
  }

  private static AggregateCall withOrder(AggregateCall call) {
    if (!(call.getAggregation() instanceof Ordered ordered)) {
      return call;
    }
    int count = call.getArgList().size() - ordered.order.size();
    List<RelFieldCollation> order = new ArrayList<>();
    for (int i = 0; i < ordered.order.size(); i++) {
      order.add(ordered.order.get(i).withFieldIndex(call.getArgList().get(count + i)));
    }
    return call(call, ordered.function, call.getArgList().subList(0, count), RelCollations.of(order));
  }

  private static AggregateCall call(AggregateCall call, SqlAggFunction function, List<Integer> arguments, RelCollation order) {
    return AggregateCall.create(call.getParserPosition(), function, call.isDistinct(), call.isApproximate(), call.ignoreNulls(),
        call.rexList, arguments, call.filterArg, call.distinctKeys, order, call.getType(), call.name);
  }

  /** An aggregate function whose last arguments order its rows. */
  private static final class Ordered extends SqlAggFunction {
    private final SqlAggFunction function;
    private final List<RelFieldCollation> order;

    Ordered(AggregateCall call) {
      super(call.getAggregation().getName() + " " + call.getCollation(), null, SqlKind.OTHER_FUNCTION, ReturnTypes.explicit(call.getType()),
          null, OperandTypes.VARIADIC, SqlFunctionCategory.SYSTEM, false, false, call.getAggregation().requiresGroupOrder());
      this.function = call.getAggregation();
      this.order = call.getCollation().getFieldCollations();
    }
  }
}
