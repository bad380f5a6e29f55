package io.rowtime.plan.build;

import io.rowtime.aggregate.AggregateFunction;
import io.rowtime.catalog.TypeText;
import io.rowtime.plan.clock.Closing;
import io.rowtime.plan.node.ChangeModes;
import io.rowtime.plan.node.ComputedCalls;
import io.rowtime.plan.node.Expression;
import io.rowtime.plan.node.GroupCall;
import io.rowtime.plan.node.Operator;
import io.rowtime.plan.node.PlanNode;
import io.rowtime.plan.node.SortKey;
import io.rowtime.plan.physical.GroupOperator;
import io.rowtime.plan.physical.HopAggregation;
import io.rowtime.plan.physical.OperatorCalls;
import io.rowtime.plan.physical.RetractedRows;
import io.rowtime.plan.progress.KeyClosing;
import io.rowtime.plan.progress.PlannedQuery;
import io.rowtime.plan.rel.SessionAggregate;
import io.rowtime.plan.rel.StateTtl;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.apache.calcite.rel.RelFieldCollation;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Aggregate;
import org.apache.calcite.rel.core.AggregateCall;
import org.apache.calcite.rel.core.Project;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.util.ImmutableBitSet;

/** Makes GROUP BY the node of the operator that computes it. */
final class AggregateRules {
  /** Functions that compare the values of different rows. */
  private static final Set<SqlKind> COMPARE = Set.of(SqlKind.MIN, SqlKind.MAX, SqlKind.MODE);

  private final NodeBuilder nodes;
  private final PlannedQuery plan;

  AggregateRules(NodeBuilder nodes, PlannedQuery plan) {
    this.nodes = nodes;
    this.plan = plan;
  }

  PlanNode node(Aggregate aggregate) {
    if (!plan.streams().contains(aggregate)) {
      return ofSpark(aggregate, null);
    }
    HopAggregation hop = HopAggregation.of(aggregate, plan.orders());
    if (hop != null) {
      return hop(hop);
    }
    KeyClosing closing = KeyClosing.of(aggregate, plan.orders());
    if (updates(aggregate)) {
      return updating(aggregate);
    }
    if (closing == null) {
      nodes.refuseUntraced("grouping a stream by a monotonic expression that cannot be traced back to the clock of its rows");
    }
    return switch (closing == null ? GroupOperator.SPARK : GroupOperator.of(aggregate)) {
      case SPARK -> ofSpark(aggregate, closing);
      case GROUPS -> {
        boolean combines = GroupOperator.combines(aggregate);
        // Groups of all times are in one task: they close one after the other.
        List<Integer> partition = aggregate.getGroupSet().clear(closing.key()).asList();
        yield node(aggregate, new Operator.GroupAggregate(aggregate.getGroupSet().asList(), sets(aggregate), calls(aggregate), closes(aggregate, closing),
            partition, combines, operator(aggregate, combines)));
      }
      case SESSIONS -> node(aggregate, new Operator.SessionAggregate(aggregate.getGroupSet().asList(), session((SessionAggregate) aggregate),
          calls(aggregate), closes(aggregate, closing), operator(aggregate, false)));
    };
  }

  /** Returns whether the results of a GROUP BY are retracted when they change. */
  private boolean updates(Aggregate aggregate) {
    return nodes.isBelowChangelog() && new RetractedRows(plan.streams(), plan.orders()).updates(aggregate);
  }

  /** Groups by keys that say nothing of when a group is complete. */
  private PlanNode updating(Aggregate aggregate) {
    Long ttl = StateTtl.of(aggregate);
    List<PlanNode> inputs = ttl == null ? nodes.inputsInAnyOrder(aggregate) : nodes.inputs(aggregate);
    boolean retracts = ChangeModes.retracts(inputs.get(0));
    for (AggregateCall call : aggregate.getAggCallList()) {
      // Calcite marks by it whether a sub-query has rows.
      String name = call.getAggregation().getKind() == SqlKind.LITERAL_AGG ? "a sub-query as a value" : GroupOperator.name(call);
      nodes.refuseIf(!GroupOperator.updates(aggregate, call), name + (call.isDistinct() ? "(DISTINCT …)" : "") + " in a result that changes");
      nodes.refuseIf(retracts && !GroupOperator.retracts(call), name + " over a result that changes");
    }
    boolean combines = !retracts && ttl == null && GroupOperator.combines(aggregate);
    return nodes.node(aggregate, new Operator.UpdatingAggregate(aggregate.getGroupSet().asList(), sets(aggregate), calls(aggregate), combines,
        ttl, operator(aggregate, combines)), inputs);
  }

  private PlanNode node(Aggregate aggregate, Operator operator) {
    return nodes.node(aggregate, operator, nodes.inputs(aggregate));
  }

  private PlanNode ofSpark(Aggregate aggregate, KeyClosing closing) {
    aggregate.getAggCallList().forEach(call -> checkSupported(aggregate, call));
    return node(aggregate, new Operator.Aggregate(aggregate.getGroupSet().asList(), sets(aggregate),
        aggregate instanceof SessionAggregate sessions ? session(sessions) : null, calls(aggregate),
        closing == null ? null : closes(aggregate, closing), constants(aggregate)));
  }

  /** Returns the GROUPING SETS; null for a plain GROUP BY. */
  private static List<List<Integer>> sets(Aggregate aggregate) {
    return aggregate.getGroupType() == Aggregate.Group.SIMPLE ? null
        : aggregate.getGroupSets().stream().map(ImmutableBitSet::asList).toList();
  }

  /** Refuses calls that Spark's aggregation cannot compute. */
  private void checkSupported(Aggregate aggregate, AggregateCall call) {
    String name = GroupOperator.name(call);
    boolean runs = AggregateFunction.runs(name, AggregateFunction.Use.GROUP_BY);
    nodes.refuseIf(!runs, "the aggregate function " + name);
    boolean compares = call.isDistinct() || COMPARE.contains(call.getAggregation().getKind());
    nodes.refuseIf(compares && Untranslated.hasMap(aggregate.getInput().getRowType(), call.getArgList()), name + (call.isDistinct() ? "(DISTINCT …)" : "") + " of a MAP");
    // Spark's streams support DISTINCT only for set functions.
    nodes.refuseIf(runs && call.isDistinct() && plan.streams().contains(aggregate) && !AggregateFunction.named(name).distinctOfSet(),
        name + "(DISTINCT …) in a stream or a window");
  }

  /** Returns the calls for one of rowtime's own operators. */
  private ComputedCalls operator(Aggregate aggregate, boolean combines) {
    OperatorCalls computed = new OperatorCalls(aggregate.getCluster().getRexBuilder());
    for (AggregateCall call : aggregate.getAggCallList()) {
      computed.addOfGroup(requestedCall(aggregate.getInput(), call), combines);
    }
    return nodes.expressions().calls(computed);
  }

  private static OperatorCalls.RequestedCall requestedCall(RelNode input, AggregateCall call) {
    RexBuilder rex = input.getCluster().getRexBuilder();
    List<RexNode> args = new ArrayList<>(call.getArgList().stream().map(index -> argument(input, index)).toList());
    List<RelFieldCollation> order = call.getCollation().getFieldCollations();
    if (!order.isEmpty()) {
      // The percentile applies to the values that WITHIN GROUP orders; in descending order the fraction is 1 minus the
      // one given.
      RexLiteral fraction = (RexLiteral) args.get(0);
      BigDecimal share = fraction.getValueAs(BigDecimal.class);
      boolean falls = order.get(0).getDirection().isDescending();
      args = List.of(argument(input, order.get(0).getFieldIndex()), falls ? rex.makeExactLiteral(BigDecimal.ONE.subtract(share)) : fraction);
    }
    RexNode filter = call.hasFilter() ? rex.makeInputRef(input, call.filterArg) : null;
    return new OperatorCalls.RequestedCall(GroupOperator.name(call), args, call.isDistinct(), false, filter, call.getType());
  }

  /** Returns a field of the input, or the constant that a projection gives it. */
  private static RexNode argument(RelNode input, int index) {
    return input instanceof Project project && project.getProjects().get(index) instanceof RexLiteral literal ? literal
        : input.getCluster().getRexBuilder().makeInputRef(input, index);
  }

  /** Returns the constant arguments: Spark accepts no column for a separator or a fraction. */
  private List<Operator.ConstantArgument> constants(Aggregate aggregate) {
    List<Operator.ConstantArgument> constants = new ArrayList<>();
    aggregate.getAggCallList().stream().flatMap(call -> call.getArgList().stream()).distinct().sorted().forEach(index -> {
      if (argument(aggregate.getInput(), index) instanceof RexLiteral literal) {
        constants.add(new Operator.ConstantArgument(index, nodes.expressions().of(literal)));
      }
    });
    return constants;
  }

  private static Operator.SessionKey session(SessionAggregate aggregate) {
    return new Operator.SessionKey(aggregate.timeKey(), aggregate.gap());
  }

  private PlanNode hop(HopAggregation hop) {
    Aggregate windows = hop.windows();
    List<Operator.HopKey> keys = new ArrayList<>();
    for (int key : windows.getGroupSet()) {
      int field = hop.key(key);
      keys.add(field >= 0 ? new Operator.HopKey(field) : field == -1 ? Operator.HopKey.START : Operator.HopKey.END);
    }
    List<GroupCall> calls = new ArrayList<>();
    OperatorCalls computed = new OperatorCalls(windows.getCluster().getRexBuilder());
    List<String> names = windows.getRowType().getFieldNames();
    for (int i = 0; i < windows.getAggCallList().size(); i++) {
      AggregateCall partial = hop.partial(windows.getAggCallList().get(i));
      String merging = GroupOperator.name(windows.getAggCallList().get(i)).toUpperCase(Locale.ROOT);
      calls.add(call(partial, names.get(windows.getGroupCount() + i), true, merging));
      computed.addOfPanes(requestedCall(hop.input(), partial), merging, hop.combines());
    }
    Operator operator = new Operator.HopAggregate(keys, 0, hop.hop().period().slide(), hop.hop().period().size(), hop.hop().period().offset(), hop.late(),
        calls, hop.combines(), nodes.expressions().calls(computed));
    return nodes.node(windows, operator, List.of(nodes.node(hop.input())));
  }

  private List<GroupCall> calls(Aggregate aggregate) {
    // Spark's streams have no DISTINCT, and its DISTINCT loses the order of a LISTAGG beside it.
    boolean sets = plan.streams().contains(aggregate) || aggregate.getAggCallList().stream().anyMatch(AggregateRules::isOrderedText);
    List<GroupCall> calls = new ArrayList<>();
    List<String> names = aggregate.getRowType().getFieldNames();
    for (int i = 0; i < aggregate.getAggCallList().size(); i++) {
      calls.add(call(aggregate.getAggCallList().get(i), names.get(aggregate.getGroupCount() + i), sets, null));
    }
    return calls;
  }

  private static boolean isOrderedText(AggregateCall call) {
    return !call.getCollation().getFieldCollations().isEmpty()
        && AggregateFunction.constant(GroupOperator.name(call)) == AggregateFunction.Constant.SEPARATOR;
  }

  /**
   * @param sets whether DISTINCT values are collected in a set first, where that is possible
   * @param mergedBy the function that merges the results of panes; null if there are none
   */
  private static GroupCall call(AggregateCall call, String name, boolean sets, String mergedBy) {
    AggregateFunction function = AggregateFunction.named(GroupOperator.name(call));
    return new GroupCall(GroupOperator.name(call), call.getArgList(), call.isDistinct(),
        sets && call.isDistinct() && function != null && function.distinctOfSet(), call.hasFilter() ? call.filterArg : null, TypeText.of(call.getType()),
        call.getType().isNullable(), name, SortKey.of(call.getCollation().getFieldCollations()), mergedBy);
  }

  private Expression closes(Aggregate aggregate, KeyClosing closing) {
    RexBuilder rex = aggregate.getCluster().getRexBuilder();
    RexNode time = rex.makeInputRef(aggregate.getInput(), closing.key());
    // A row that is exactly one gap later still belongs to the session, and can arrive while the bound is at its time.
    return nodes.expressions().of(aggregate instanceof SessionAggregate sessions
        ? rex.makeCall(SqlStdOperatorTable.DATETIME_PLUS, time, Closing.interval(rex, sessions.gap() + 1))
        : closing.closes(rex, time));
  }
}
