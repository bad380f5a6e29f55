package io.rowtime.plan.rel;

import java.util.List;
import java.util.Set;
import org.apache.calcite.plan.RelTraitSet;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.RelWriter;
import org.apache.calcite.rel.core.Join;
import org.apache.calcite.rel.core.JoinRelType;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.type.SqlTypeName;

/**
 * A join of two streams whose rows match only near one another in time.
 *
 * <p>Each row is there for an interval of base times around its ROWTIME. Two rows match where their intervals meet and the
 * condition holds; ROWTIME of the pair is the earliest time at which both are there. A row without a match comes out, in an
 * outer join, with the last time at which it is there (seed 003, "Streaming Joins"). Of a distinct input, equal rows count once.
 */
public final class IntervalJoin extends Join {
  private static final String ROWTIME = "$ROWTIME";

  /**
   * From and to how many milliseconds after its ROWTIME a row is there.
   *
   * @param rows where not 0, a row is there until so many later rows of its input have come, and {@code to} is 0
   */
  public record Interval(long from, long to, int rows) {
    public Interval(long from, long to) {
      this(from, to, 0);
    }

    /** Whether a row is there at its ROWTIME alone. */
    public boolean isPoint() {
      return from == 0 && to == 0 && rows == 0;
    }
  }

  private final Interval leftInterval;
  private final Interval rightInterval;
  private final boolean leftDistinct;
  private final boolean rightDistinct;
  private final boolean withRowtime;

  /** @param condition what matching rows fulfil beside that their intervals meet */
  public IntervalJoin(RelNode left, RelNode right, RexNode condition, JoinRelType type, Interval leftInterval, Interval rightInterval) {
    this(left.getCluster().traitSet(), left, right, condition, type, leftInterval, rightInterval,
        false, false, false);
  }

  private IntervalJoin(RelTraitSet traits, RelNode left, RelNode right, RexNode condition, JoinRelType type,
      Interval leftInterval, Interval rightInterval, boolean leftDistinct, boolean rightDistinct, boolean withRowtime) {
    super(left.getCluster(), traits, List.of(), left, right, condition, Set.of(), type);
    this.leftInterval = leftInterval;
    this.rightInterval = rightInterval;
    this.leftDistinct = leftDistinct;
    this.rightDistinct = rightDistinct;
    this.withRowtime = withRowtime;
  }

  @Override public IntervalJoin copy(RelTraitSet traits, RexNode condition, RelNode newLeft, RelNode newRight, JoinRelType type,
      boolean semiJoinDone) {
    return new IntervalJoin(traits, newLeft, newRight, condition, type, leftInterval, rightInterval, leftDistinct, rightDistinct, withRowtime);
  }

  /** The same join with its ROWTIME as a column behind all others. */
  public IntervalJoin withRowtime() {
    return withRowtime ? this : new IntervalJoin(traitSet, getLeft(), getRight(), getCondition(), joinType, leftInterval, rightInterval, leftDistinct,
        rightDistinct, true);
  }

  /** The same join of other inputs, of which equal rows count once where that is said. */
  public IntervalJoin distinct(RelNode newLeft, boolean ofLeft, RelNode newRight, boolean ofRight) {
    return new IntervalJoin(traitSet, newLeft, newRight, getCondition(), joinType, leftInterval, rightInterval, ofLeft, ofRight, withRowtime);
  }

  public boolean leftDistinct() {
    return leftDistinct;
  }

  public boolean rightDistinct() {
    return rightDistinct;
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
    return super.explainTerms(writer).item("leftInterval", leftInterval).item("rightInterval", rightInterval)
        .itemIf("leftDistinct", true, leftDistinct).itemIf("rightDistinct", true, rightDistinct).itemIf("withRowtime", true, withRowtime);
  }

  public Interval leftInterval() {
    return leftInterval;
  }

  public Interval rightInterval() {
    return rightInterval;
  }

  /** For how many milliseconds after its ROWTIME a left row can match right ones that are still to come; by rows, 0. */
  public long leftKept() {
    return Math.max(0, leftInterval.to - rightInterval.from);
  }

  /** The same of a right row. */
  public long rightKept() {
    return Math.max(0, rightInterval.to - leftInterval.from);
  }

  /** The equalities of the condition, and what else it says. */
  public JoinKeys keys() {
    return JoinKeys.of(getLeft(), getRight(), getCondition());
  }
}
