package io.rowtime.plan.rewrite;

import com.google.common.collect.ImmutableSet;
import io.rowtime.diagnostic.DiagnosticException;
import io.rowtime.plan.clock.ClockStep;
import io.rowtime.plan.monotone.FieldOrder;
import io.rowtime.plan.monotone.NodeOrder;
import io.rowtime.plan.monotone.OrderAnalysis;
import io.rowtime.plan.monotone.StreamingNodes;
import io.rowtime.plan.origin.Origins;
import io.rowtime.plan.rel.JoinKeys;
import io.rowtime.plan.rel.Plans;
import io.rowtime.plan.rel.SnapshotScan.AsOf;
import io.rowtime.plan.rel.SnapshotScan.By;
import io.rowtime.plan.rel.SnapshotScan;
import io.rowtime.plan.rel.TemporalJoin.Version;
import io.rowtime.plan.rel.TemporalJoin;
import io.rowtime.validate.function.RowtimeOperators;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.AsofJoin;
import org.apache.calcite.rel.core.Filter;
import org.apache.calcite.rel.core.Join;
import org.apache.calcite.rel.core.JoinRelType;
import org.apache.calcite.rel.core.Project;
import org.apache.calcite.rel.core.TableScan;
import org.apache.calcite.rel.core.Values;
import org.apache.calcite.rel.logical.LogicalFilter;
import org.apache.calcite.rel.logical.LogicalJoin;
import org.apache.calcite.rel.logical.LogicalProject;
import org.apache.calcite.rel.logical.LogicalValues;
import org.apache.calcite.rel.type.RelDataTypeField;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexUtil;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.type.SqlTypeName;

/**
 * Rewrites joins with a table as of each row's time, and ASOF joins of streams. If the left side is a stream they
 * become a {@link TemporalJoin}; else a plain join over the times from which and until which each version is the
 * latest.
 */
public final class TemporalJoins {
  private final Origins origins;

  private TemporalJoins(Origins origins) {
    this.origins = origins;
  }

  /** Refuses times that do not depend on the row on the left. Called before any rule moves them. */
  static void check(RelNode plan, Origins origins) {
    Plans.nodes(plan).filter(TemporalJoins::isTemporal).map(Join.class::cast).forEach(join -> {
      SqlParserPos place = origins.matchedTime(join);
      int width = join.getLeft().getRowType().getFieldCount();
      RexNode time = RelOptUtil.conjunctions(join.getCondition()).stream().filter(VersionJoin::isAsOf).findFirst()
          .map(conjunct -> ((RexCall) conjunct).getOperands().get(0)).orElseThrow();
      if (RelOptUtil.InputFinder.bits(time).nextSetBit(width) >= 0) {
        throw new DiagnosticException("RT0124", place, "The time at which a table is read cannot be one of its own columns",
            "name a column of the rows on the left of the join");
      }
      if (time.getType().getSqlTypeName() != SqlTypeName.TIMESTAMP) {
        throw new DiagnosticException("RT0124", place, "The time at which a table is read must be a TIMESTAMP", "cast it");
      }
    });
  }

  /**
   * Prepares joins for later rules: a condition with a sub-query is moved above an INNER JOIN, and if Calcite has found
   * the condition to be FALSE, no version is read.
   */
  static RelNode prepare(RelNode plan, Origins origins) {
    if (Plans.nodes(plan).noneMatch(VersionJoin::isVersions)) {
      return plan;
    }
    return origins.rewrite(plan, (original, node) -> {
      if (!(node instanceof Join join) || !VersionJoin.isVersions(join.getRight())) {
        return node;
      }
      if (isTemporal(join)) {
        return withoutSubQueries(join, origins.matchedTime(original));
      }
      return join.getCondition().isAlwaysFalse() ? join.copy(join.getTraitSet(),
          List.of(join.getLeft(), LogicalValues.createEmpty(join.getCluster(), join.getRight().getRowType()))) : join;
    });
  }

  private static RelNode withoutSubQueries(Join join, SqlParserPos place) {
    RexBuilder rex = join.getCluster().getRexBuilder();
    Map<Boolean, List<RexNode>> conjuncts = RelOptUtil.conjunctions(join.getCondition()).stream()
        .collect(Collectors.partitioningBy(conjunct -> RexUtil.SubQueryFinder.find(conjunct) != null));
    if (conjuncts.get(true).isEmpty()) {
      return join;
    }
    if (join.getJoinType() != JoinRelType.INNER) {
      throw new DiagnosticException("RT0900", place, "not supported yet: a sub-query in ON of an outer join with a table as of each row's time",
          "compute it first, as a column of the left side: FROM (SELECT STREAM s.*, EXISTS (…) AS c FROM s) AS s LEFT JOIN …");
    }
    RelNode rest = LogicalJoin.create(join.getLeft(), join.getRight(), join.getHints(),
        RexUtil.composeConjunction(rex, conjuncts.get(false)), Set.of(), join.getJoinType());
    return LogicalFilter.create(rest, RexUtil.composeConjunction(rex, conjuncts.get(true)), ImmutableSet.copyOf(join.getVariablesSet()));
  }

  /** Replaces joins whose left side is a relation by plain joins. */
  static RelNode ofRelations(RelNode plan, boolean streaming, Origins origins) {
    if (!any(plan)) {
      return plan;
    }
    StreamingNodes streams = StreamingNodes.of(plan, streaming);
    TemporalJoins joins = new TemporalJoins(origins);
    return origins.rewrite(plan, (original, node) ->
        isTemporal(original) && !streams.contains(((Join) original).getLeft()) ? joins.ofRelation((Join) node, original, streaming) : node);
  }

  /** Replaces joins whose left side is a stream. Equalities in WHERE have become part of the join before. */
  static RelNode ofStreams(RelNode plan, Origins origins) {
    if (!any(plan) && Plans.nodes(plan).noneMatch(AsofJoin.class::isInstance)) {
      return plan;
    }
    OrderAnalysis orders = new OrderAnalysis(StreamingNodes.of(plan, true));
    TemporalJoins joins = new TemporalJoins(origins);
    return origins.rewrite(plan, (original, node) -> original instanceof AsofJoin ? joins.asof((AsofJoin) original, (AsofJoin) node, orders)
        : !isTemporal(original) ? node
        : isEmpty(node.getInput(0)) ? LogicalValues.createEmpty(node.getCluster(), node.getRowType())
        : joins.ofStream((Join) original, (Join) node, orders));
  }

  /** Returns whether Calcite has found that a relation can have no rows. */
  private static boolean isEmpty(RelNode rel) {
    return rel instanceof Values values ? values.getTuples().isEmpty()
        : (rel instanceof Project || rel instanceof Filter) && isEmpty(rel.getInput(0));
  }

  private static boolean any(RelNode plan) {
    return Plans.nodes(plan).anyMatch(TemporalJoins::isTemporal);
  }

  /** Returns whether a node is a join with a table as of each row's time. */
  static boolean isTemporal(RelNode rel) {
    return rel instanceof Join join && RelOptUtil.conjunctions(join.getCondition()).stream().anyMatch(VersionJoin::isAsOf);
  }

  private RelNode ofRelation(Join join, RelNode original, boolean streaming) {
    VersionJoin written = VersionJoin.read(join, original, origins);
    if (!written.object().streamable()) {
      return byCommits(join, written, null);
    }
    if (streaming && written.object().isStream()) {
      throw new DiagnosticException("RT0900", origins.place(original, SqlParserPos.ZERO), "not supported yet: versions of a stream for the rows "
          + "of a table, in a streaming query", "copy them into a table with a pump");
    }
    TableScan versions = written.versions();
    RexBuilder rex = join.getCluster().getRexBuilder();
    int time = new OrderAnalysis(StreamingNodes.of(versions, true)).clockColumn(versions);
    requireTime(written, time, origins.place(original, SqlParserPos.ZERO));
    List<RexNode> identity = written.identity().stream()
        .<RexNode>map(column -> rex.makeInputRef(versions, column)).toList();
    RelNode joined = AsofJoins.plainJoin(join.getLeft(), versions, join.getJoinType(), written.condition(),
        new AsofJoins.Match(SqlStdOperatorTable.GREATER_THAN_OR_EQUAL, written.time(), rex.makeInputRef(versions, time), identity));
    return written.outputs(joined, join);
  }

  /**
   * Returns the join with a table whose rows have no time column: each row is in the table from one commit until
   * another.
   *
   * @param shift see {@link AsOf}
   */
  private static RelNode byCommits(Join join, VersionJoin written, Long shift) {
    RexBuilder rex = join.getCluster().getRexBuilder();
    RelNode left = inHistory(join.getLeft(), written);
    TableScan history = new SnapshotScan(written.versions(), new AsOf(By.HISTORY, null, shift));
    int from = left.getRowType().getFieldCount() + written.versions().getRowType().getFieldCount();
    List<RelDataTypeField> added = history.getRowType().getFieldList().subList(from - left.getRowType().getFieldCount(),
        history.getRowType().getFieldCount());
    RexNode begins = rex.makeInputRef(added.get(0).getType(), from);
    RexNode ends = rex.makeInputRef(added.get(1).getType(), from + 1);
    RexNode holds = RexUtil.composeConjunction(rex, List.of(written.condition(),
        rex.makeCall(SqlStdOperatorTable.GREATER_THAN_OR_EQUAL, written.time(), begins),
        rex.makeCall(SqlStdOperatorTable.OR, rex.makeCall(SqlStdOperatorTable.IS_NULL, ends),
            rex.makeCall(SqlStdOperatorTable.LESS_THAN, written.time(), ends))));
    return written.outputs(LogicalJoin.create(left, history, List.of(), holds, Set.of(), join.getJoinType()), join);
  }

  /** Returns the rows, checked at run time to ask for no time before the start of the table's history. */
  private static RelNode inHistory(RelNode rows, VersionJoin written) {
    RexBuilder rex = rows.getCluster().getRexBuilder();
    int width = rows.getRowType().getFieldCount();
    TableScan begin = new SnapshotScan(written.versions(), new AsOf(By.HISTORY_BEGIN, null));
    RelNode both = LogicalJoin.create(rows, begin, List.of(), rex.makeLiteral(true), Set.of(), JoinRelType.INNER);
    RelNode checked = LogicalFilter.create(both, rex.makeCall(RowtimeOperators.IN_HISTORY, written.time(), rex.makeInputRef(both, width),
        rex.makeLiteral(written.object().name())));
    return LogicalProject.create(checked, List.of(), rex.identityProjects(both.getRowType()).subList(0, width),
        rows.getRowType().getFieldNames(), Set.of());
  }

  private static void requireTime(VersionJoin written, int column, SqlParserPos place) {
    if (column < 0) {
      throw new DiagnosticException("RT0211", place, "'" + written.object().name() + "' has no time from which a row is valid",
          "declare LATENESS or MONOTONIC on one of its TIMESTAMP NOT NULL columns");
    }
  }

  private RelNode ofStream(Join original, Join join, OrderAnalysis orders) {
    SqlParserPos place = origins.place(original, SqlParserPos.ZERO);
    VersionJoin written = VersionJoin.read(join, original, origins);
    boolean timed = written.object().streamable();
    if (timed) {
      OrderAnalysis versions = new OrderAnalysis(StreamingNodes.of(written.versions(), true));
      requireTime(written, versions.of(written.versions()).rowtime(), place);
    }
    NodeOrder left = orders.of(original.getLeft());
    if (!left.hasClock()) {
      throw new DiagnosticException("RT0900", place, "not supported yet: FOR SYSTEM_TIME AS OF, and SNAPSHOT, for each row of a result that changes",
          "put conditions on the current time above the join");
    }
    Long shift = shift(written.time(), original.getLeft(), left);
    if (shift == null) {
      throw new DiagnosticException("RT0212", origins.matchedTime(original), "The time at which a stream is joined with a table must follow from its ROWTIME: other times may go back, so "
          + "every version would have to be kept forever", "write FOR SYSTEM_TIME AS OF s.ROWTIME, or s.ROWTIME plus or minus an interval");
    }
    if (!timed) {
      return byCommits(join, written, shift);
    }
    JoinKeys all = JoinKeys.of(join.getLeft(), written.versions(), written.condition());
    JoinKeys ofIdentity = onlyOf(all, written.identity());
    // All versions of an entity are in one task if tasks are assigned by columns of the primary key.
    boolean together = ofIdentity.right().isEmpty();
    boolean whole = ofIdentity.right().size() == written.identity().size();
    Version version = new Version(shift, true, null, whole ? List.of() : written.identity(), together, true);
    return written.outputs(
        new TemporalJoin(join.getLeft(), written.versions(), join.getJoinType(), together ? all : ofIdentity, version), join);
  }

  /** Returns one key for each column of the primary key; the other keys become conditions. */
  private static JoinKeys onlyOf(JoinKeys keys, List<Integer> identity) {
    List<Integer> found = new ArrayList<>();
    for (int column : identity) {
      IntStream.range(0, keys.right().size()).filter(at -> columnOf(keys.right().get(at)) == column).findFirst().ifPresent(found::add);
    }
    List<RexNode> others = new ArrayList<>(keys.others());
    for (int i = 0; i < keys.conjuncts().size(); i++) {
      if (!found.contains(i)) {
        others.add(keys.conjuncts().get(i));
      }
    }
    return new JoinKeys(found.stream().map(keys.left()::get).toList(), found.stream().map(keys.right()::get).toList(),
        found.stream().map(keys.conjuncts()::get).toList(), others);
  }

  /** Returns the column that an expression is, possibly cast to a wider type; -1 for any other expression. */
  private static int columnOf(RexNode expr) {
    RexNode plain = RexUtil.isLosslessCast(expr) ? ((RexCall) expr).getOperands().get(0) : expr;
    return plain instanceof RexInputRef ref ? ref.getIndex() : -1;
  }

  /** Returns how far an expression is after the ROWTIME of its row, in milliseconds; null if that is not constant. */
  private static Long shift(RexNode time, RelNode input, NodeOrder order) {
    RelNode projected = LogicalProject.create(input, List.of(), List.of(time), List.of("time"), Set.of());
    FieldOrder field = new OrderAnalysis(StreamingNodes.of(projected, true)).of(projected).fields().get(0);
    List<ClockStep> steps = field.derivesFromRowtime() && order.hasClock()
        ? ClockStep.relative(field.steps(), order.clock()) : null;
    // Steps describe bounds. The values are the same distance apart if both are as far past those.
    long spread = order.hasClock() && order.rowtime() >= 0 ? order.fields().get(order.rowtime()).spread() : 0;
    if (steps == null || field.spread() != spread
        || steps.stream().anyMatch(step -> step.function() != ClockStep.Function.SHIFT)) {
      return null;
    }
    return steps.stream().mapToLong(ClockStep::millis).sum();
  }

  /** Returns an ASOF join of streams; returns it unchanged if only its left side is a stream. */
  private RelNode asof(AsofJoin original, AsofJoin join, OrderAnalysis orders) {
    NodeOrder left = orders.of(original.getLeft());
    NodeOrder right = orders.of(original.getRight());
    if (!left.hasClock() || !right.hasClock()) {
      return join;
    }
    SqlParserPos place = origins.place(original, SqlParserPos.ZERO);
    int width = join.getLeft().getRowType().getFieldCount();
    RexCall match = AsofJoins.onLeft((RexCall) join.getMatchCondition(), width, join.getCluster().getRexBuilder());
    AsofWindow window = AsofWindow.of(join);
    boolean latest = AsofJoins.isLatest(match.getKind());
    if (!latest && !window.isWindow()) {
      throw new DiagnosticException("RT0213", origins.matchedTime(original), "A row could wait forever for the next row with its keys, and all later rows would wait with it",
          "limit the time with a window on the right stream: s ASOF JOIN t OVER (RANGE INTERVAL '1' HOUR FOLLOWING) AS t MATCH_CONDITION "
          + "…; or ask for the latest row before it (>= or >)");
    }
    Long before = shift(match.getOperands().get(0), original.getLeft(), left);
    Long after = shift(RexUtil.shift(match.getOperands().get(1), -width), original.getRight(), right);
    if (before == null || after == null) {
      throw new DiagnosticException("RT0212", origins.matchedTime(original), "MATCH_CONDITION of an ASOF JOIN of streams must compare their ROWTIMEs: other times may go back",
          "write MATCH_CONDITION s.ROWTIME >= t.ROWTIME; a sub-query can give t another ROWTIME: (SELECT STREAM ROWTIME + INTERVAL '1' MINUTE AS ROWTIME, … FROM t)");
    }
    JoinKeys keys = JoinKeys.of(join.getLeft(), window.input(), join.getCondition());
    if (!keys.others().isEmpty()) {
      // The key comparison would be evaluated after the latest row of all keys was chosen.
      throw new DiagnosticException("RT0900", place, "not supported yet: an ASOF JOIN of streams by keys of different types",
          "cast both sides of each equality in ON to one type");
    }
    long shift = before - after;
    if (!window.holdsNearest(shift, latest) || window.isWindow() && (left.rowtime() < 0 || right.rowtime() < 0)) {
      // The window stays, as what does not run.
      return join;
    }
    boolean inclusive = match.getKind() == SqlKind.GREATER_THAN_OR_EQUAL || match.getKind() == SqlKind.LESS_THAN_OR_EQUAL;
    if (!latest) {
      return new TemporalJoin(join.getLeft(), window.input(), AsofJoins.type(join), keys,
          new Version(shift, inclusive, window.end(), List.of(), false, false));
    }
    if (window.isWindow()) {
      RexBuilder rex = join.getCluster().getRexBuilder();
      List<RexNode> others = List.of(window.isIn(rex, rex.makeInputRef(join.getLeft(), left.rowtime()),
          RexUtil.shift(rex.makeInputRef(window.input(), right.rowtime()), width)));
      keys = new JoinKeys(keys.left(), keys.right(), keys.conjuncts(), others);
    }
    return new TemporalJoin(join.getLeft(), window.input(), AsofJoins.type(join), keys,
        new Version(shift, inclusive, null, List.of(), false, false));
  }

  /** Returns the inputs of joins that are read from the beginning. */
  public static Set<RelNode> fromBeginning(RelNode plan) {
    Set<RelNode> found = Collections.newSetFromMap(new IdentityHashMap<>());
    Plans.nodes(plan).filter(rel -> rel instanceof TemporalJoin join && join.version().fromBeginning())
        .forEach(rel -> found.add(rel.getInput(1)));
    return found;
  }

  /**
   * Returns the nodes whose rows are joined with table versions by commit time, each with the maximum number of
   * milliseconds after a row's ROWTIME at which its version holds. Until the system clock has passed that time, a newer
   * version may still be committed.
   */
  public static Map<RelNode, Long> clockShifts(RelNode plan, OrderAnalysis orders) {
    Map<RelNode, Long> found = new IdentityHashMap<>();
    Plans.nodes(plan).filter(rel -> rel instanceof Join join && join.getRight() instanceof SnapshotScan scan && scan.asOf().shift() != null)
        .map(Join.class::cast).forEach(join -> {
          NodeOrder left = orders.of(join.getLeft());
          long shift = ((SnapshotScan) join.getRight()).asOf().shift() + (left.hasClock() ? ClockStep.furthest(left.clock()) : 0);
          Plans.nodes(join.getLeft()).filter(rel -> rel instanceof TableScan && orders.of(rel).hasClock())
              .forEach(rel -> found.merge(rel, shift - ClockStep.furthest(orders.of(rel).clock()), Math::max));
        });
    return found;
  }
}
