package io.rowtime.plan.build;

import io.rowtime.plan.clock.ClockStep;
import io.rowtime.plan.monotone.NodeOrder;
import io.rowtime.plan.monotone.StreamingNodes;
import io.rowtime.plan.node.Expression;
import io.rowtime.plan.node.Operator;
import io.rowtime.plan.node.PlanNode;
import io.rowtime.plan.origin.Origins;
import io.rowtime.plan.progress.PlannedQuery;
import io.rowtime.plan.rel.IntervalJoin;
import io.rowtime.plan.rel.JoinKeys;
import io.rowtime.plan.rel.LookupJoin;
import io.rowtime.plan.rel.Plans;
import io.rowtime.plan.rel.SearchKeyJoin;
import io.rowtime.plan.rel.TemporalJoin;
import io.rowtime.plan.rel.UpdatingJoin;
import io.rowtime.plan.rel.Variation;
import io.rowtime.plan.rewrite.LastMatches;
import io.rowtime.validate.UserFunction;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.apache.calcite.rel.BiRel;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.AsofJoin;
import org.apache.calcite.rel.core.Join;
import org.apache.calcite.rel.core.TableScan;
import org.apache.calcite.sql.SqlOperator;
import org.apache.calcite.sql.parser.SqlParserPos;

/** Makes joins: of relations, of streams within time intervals, and of a stream with a relation. */
final class JoinRules {
  private final NodeBuilder nodes;
  private final PlannedQuery plan;

  JoinRules(NodeBuilder nodes, PlannedQuery plan) {
    this.nodes = nodes;
    this.plan = plan;
  }

  Operator join(Join join) {
    if (join instanceof IntervalJoin intervals) {
      return intervals(intervals);
    }
    if (join instanceof UpdatingJoin updating) {
      JoinKeys keys = updating.keys();
      nodes.refuseIf(Plans.nodes(join).anyMatch(rel -> rel instanceof TableScan && plan.streams().contains(rel) && !StreamingNodes.readsStream(rel)),
          "a join of tables as streams in a result that changes");
      LastMatches last = LastMatches.of(updating, plan.orders());
      return new Operator.UpdatingJoin(join.getJoinType(), nodes.expressions().all(keys.left()), nodes.expressions().all(keys.right()),
          lastMatch(last.left()), lastMatch(last.right()), condition(keys, join));
    }
    Expression condition = nodes.expressions().of(join.getCondition());
    nodes.refuseIf(join instanceof AsofJoin, "ASOF JOIN with a stream on its right");
    if (Variation.callsAnew(join.getCondition())) {
      nodes.refuse("a function that is not deterministic in the condition of this join (make it a column of an input; what compares both inputs can be"
          + " a condition of an inner join)", join);
    }
    if (join instanceof LookupJoin lookup) {
      return new Operator.LookupJoin(join.getJoinType(), lookup.streamOnLeft() ? Operator.Side.LEFT : Operator.Side.RIGHT,
          Variation.varies(lookup.relation()), condition);
    }
    if (!(join instanceof AsofJoin)) {
      refuseIfStreaming(join);
    }
    return new Operator.Join(join.getJoinType(), condition);
  }

  private static Operator.LastMatch lastMatch(LastMatches.End end) {
    return end == null ? null : new Operator.LastMatch(end.column(), end.millis());
  }

  private void refuseIfStreaming(Join join) {
    if (!plan.streams().contains(join)) {
      return;
    }
    if (plan.origins().of(join).kind() == Join.class) {
      nodes.refuse("a join in a streaming query", join);
      return;
    }
    Origins origins = plan.origins();
    SqlParserPos clause = origins.of(join).place();
    // Of a sub-query that reads outer rows, either input can be the one with these rows.
    SqlParserPos query = Stream.concat(Plans.nodes(join.getRight()), Plans.nodes(join.getLeft())).map(rel -> origins.of(rel).place())
        .filter(Objects::nonNull).map(place -> origins.queryAt(place, clause)).filter(place -> !place.equals(clause)).findFirst().orElse(clause);
    nodes.refuse("a sub-query over a stream in an expression (join it in FROM; EXISTS and IN run as conditions of WHERE that AND combines)", query);
  }

  Operator temporal(TemporalJoin join) {
    TemporalJoin.Version version = join.version();
    JoinKeys keys = join.keys();
    checkClocks(join);
    return new Operator.TemporalJoin(join.type(), nodes.expressions().all(keys.left()), nodes.expressions().all(keys.right()),
        time(join.getLeft()), time(join.getRight()), version.shift(), version.inclusive(), version.within(), version.identity(), version.oneTask(),
        condition(keys, join));
  }

  PlanNode searchKey(SearchKeyJoin join) {
    PlanNode stream = nodes.node(join.getLeft());
    PlanNode table = nodes.node(join.getRight());
    // The table is not read, but looked up by key.
    table = table.withOperator(((Operator.Scan) table.operator()).withKeys());
    List<Operator.SearchKey.TableColumn> columns = join.getRight().getRowType().getFieldList().stream().map(field ->
        new Operator.SearchKey.TableColumn(field.getType().getSqlTypeName().getName(), SparkTypes.of(field.getType()))).toList();
    return nodes.node(join, new Operator.SearchKey(join.connector().name(), join.type(), List.copyOf(join.keys()),
        nodes.expressions().all(join.lookup()), nodes.expressions().ofNullable(join.condition()), join.options(), columns), List.of(stream, table));
  }

  /** Returns the column that is the clock of an input; null if the clock is not one of its columns. */
  private Integer time(RelNode input) {
    int column = plan.orders().of(input).rowtime();
    return column < 0 ? null : column;
  }

  private Operator intervals(IntervalJoin join) {
    JoinKeys keys = join.keys();
    checkClocks(join);
    return new Operator.IntervalJoin(join.getJoinType(), nodes.expressions().all(keys.left()), nodes.expressions().all(keys.right()),
        interval(join.leftInterval()), interval(join.rightInterval()), join.leftDistinct(), join.rightDistinct(), condition(keys, join));
  }

  /** Returns the condition that an operator computes for pairs of rows, for which no Python process is asked. */
  private Expression condition(JoinKeys keys, BiRel join) {
    if (keys.others().stream().anyMatch(condition -> Variation.calls(condition, JoinRules::isInPython))) {
      nodes.refuse("a function in Python in the condition of a join of streams (make its value a column of an input; what compares both inputs of an"
          + " inner join can be in WHERE of a query around it)", join);
    }
    return nodes.expressions().ofNullable(JoinKeys.all(keys.others(), join.getCluster().getRexBuilder()));
  }

  private static boolean isInPython(SqlOperator operator) {
    return operator instanceof UserFunction function && "PYTHON".equals(function.definition().options().get(UserFunction.LANGUAGE));
  }

  /** Refuses joins of two streams whose clocks cannot be compared. */
  private void checkClocks(BiRel join) {
    boolean goes = Stream.of(join, join.getLeft(), join.getRight()).map(plan.orders()::of).allMatch(NodeOrder::hasClock);
    nodes.refuseIf(!goes, "a join of streams whose ROWTIMEs derive from their sources in ways that cannot be compared");
    nodes.refuseIf(Stream.of(join.getLeft(), join.getRight()).flatMap(Plans::nodes).anyMatch(this::hasNullableClock),
        "a join of rows whose time can be NULL (a row without a time has no place in their order: declare the column NOT NULL)");
    nodes.refuseIf(goes && Stream.of(join.getLeft(), join.getRight()).flatMap(input -> plan.orders().of(input).clock().stream())
        .anyMatch(ClockStep::varies), "a join of streams whose ROWTIMEs advance by calendar units or local times");
  }

  private boolean hasNullableClock(RelNode rel) {
    int column = plan.orders().clockColumn(rel);
    return column >= 0 && rel.getRowType().getFieldList().get(column).getType().isNullable();
  }

  private static Operator.Interval interval(IntervalJoin.Interval interval) {
    boolean counts = interval.rows() > 0;
    return new Operator.Interval(interval.from(), interval.window(), counts ? null : (Long) interval.to(), counts ? (Integer) interval.rows() : null);
  }
}
