package io.rowtime.plan;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.plan.RelTraitSet;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.RelWriter;
import org.apache.calcite.rel.core.Join;
import org.apache.calcite.rel.core.JoinRelType;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexUtil;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.sql.type.SqlTypeUtil;
import org.apache.calcite.util.ImmutableBitSet;

/**
 * A join of two streams whose rows match only near one another in time.
 *
 * <p>Each row is there for an interval of base times around its ROWTIME. Two rows match where their intervals meet and the
 * condition holds; ROWTIME of the pair is the earliest time at which both are there. A row without a match comes out, in an
 * outer join, with the last time at which it is there (seed 003, "Streaming Joins").
 */
public final class IntervalJoin extends Join {
  private static final String ROWTIME = "$ROWTIME";

  /**
   * From and to how many milliseconds after its ROWTIME a row is there.
   *
   * @param rows where not 0, a row is there until so many later rows of its input have come, and {@code to} is 0
   */
  public record Interval(long from, long to, int rows) {
    Interval(long from, long to) {
      this(from, to, 0);
    }

    /** Whether a row is there at its ROWTIME alone. */
    public boolean isPoint() {
      return from == 0 && to == 0 && rows == 0;
    }
  }

  /** Expressions that are equal in matching rows: one over the left row, one over the right row. */
  public record Keys(List<RexNode> left, List<RexNode> right) {}

  private final Interval left;
  private final Interval right;
  private final boolean withRowtime;

  /** @param condition what matching rows fulfil beside that their intervals meet */
  IntervalJoin(RelNode left, RelNode right, RexNode condition, JoinRelType type, Interval leftInterval, Interval rightInterval) {
    this(left.getCluster().traitSet(), left, right, condition, type, leftInterval, rightInterval, false);
  }

  private IntervalJoin(RelTraitSet traits, RelNode left, RelNode right, RexNode condition, JoinRelType type,
      Interval leftInterval, Interval rightInterval, boolean withRowtime) {
    super(left.getCluster(), traits, List.of(), left, right, condition, Set.of(), type);
    this.left = leftInterval;
    this.right = rightInterval;
    this.withRowtime = withRowtime;
  }

  @Override public IntervalJoin copy(RelTraitSet traits, RexNode condition, RelNode newLeft, RelNode newRight, JoinRelType type,
      boolean semiJoinDone) {
    return new IntervalJoin(traits, newLeft, newRight, condition, type, left, right, withRowtime);
  }

  /** The same join with its ROWTIME as a column behind all others. */
  IntervalJoin withRowtime() {
    return withRowtime ? this : new IntervalJoin(traitSet, getLeft(), getRight(), getCondition(), joinType, left, right, true);
  }

  /** Whether the last column is the ROWTIME of the join. */
  public boolean hasRowtime() {
    return withRowtime;
  }

  @Override protected RelDataType deriveRowType() {
    RelDataType both = super.deriveRowType();
    if (!withRowtime) {
      return both;
    }
    RelDataTypeFactory types = getCluster().getTypeFactory();
    return types.builder().addAll(both.getFieldList()).add(ROWTIME, types.createSqlType(SqlTypeName.TIMESTAMP, 3)).build();
  }

  @Override public RelWriter explainTerms(RelWriter writer) {
    return super.explainTerms(writer).item("leftInterval", left).item("rightInterval", right)
        .itemIf("withRowtime", true, withRowtime);
  }

  public Interval leftInterval() {
    return left;
  }

  public Interval rightInterval() {
    return right;
  }

  /** For how many milliseconds after its ROWTIME a left row can match right ones that are still to come; by rows, 0. */
  public long leftKept() {
    return Math.max(0, left.to - right.from);
  }

  /** The same of a right row. */
  public long rightKept() {
    return Math.max(0, right.to - left.from);
  }

  /** The equalities of the condition whose sides read one input each; those of the right side over its columns alone. */
  public Keys keys() {
    Keys keys = new Keys(new ArrayList<>(), new ArrayList<>());
    for (RexNode conjunct : RelOptUtil.conjunctions(getCondition())) {
      RexNode[] sides = sides(conjunct);
      if (sides != null) {
        keys.left.add(sides[0]);
        keys.right.add(RexUtil.shift(sides[1], -width()));
      }
    }
    return keys;
  }

  /** What of the condition {@link #keys} do not say; null where they say all of it. */
  public RexNode rest() {
    List<RexNode> others = RelOptUtil.conjunctions(getCondition()).stream()
        .filter(conjunct -> sides(conjunct) == null && !conjunct.isAlwaysTrue()).toList();
    return others.isEmpty() ? null : RexUtil.composeConjunction(getCluster().getRexBuilder(), others);
  }

  private int width() {
    return getLeft().getRowType().getFieldCount();
  }

  /** The left and the right side of an equality, in one type; null of any other condition. */
  private RexNode[] sides(RexNode conjunct) {
    if (!(conjunct instanceof RexCall call) || call.getKind() != SqlKind.EQUALS) {
      return null;
    }
    RexNode a = call.getOperands().get(0);
    RexNode b = call.getOperands().get(1);
    ImmutableBitSet lefts = ImmutableBitSet.range(width());
    ImmutableBitSet rights = ImmutableBitSet.range(width(), width() + getRight().getRowType().getFieldCount());
    RexNode onLeft = Plans.readsOnly(a, lefts) && Plans.readsOnly(b, rights) ? a
        : Plans.readsOnly(b, lefts) && Plans.readsOnly(a, rights) ? b : null;
    if (onLeft == null || !RexUtil.isDeterministic(conjunct)) {
      return null;
    }
    RexNode onRight = onLeft == a ? b : a;
    if (SqlTypeUtil.equalSansNullability(a.getType(), b.getType())) {
      return new RexNode[] {onLeft, onRight};
    }
    // As numbers they are equal where they are in the type that holds both; texts of two lengths compare in ways of their own.
    RexBuilder rex = getCluster().getRexBuilder();
    boolean numbers = SqlTypeUtil.isExactNumeric(a.getType()) && SqlTypeUtil.isExactNumeric(b.getType());
    RelDataType common = numbers ? getCluster().getTypeFactory().leastRestrictive(List.of(a.getType(), b.getType())) : null;
    return common == null ? null : new RexNode[] {rex.ensureType(common, onLeft, true), rex.ensureType(common, onRight, true)};
  }
}
