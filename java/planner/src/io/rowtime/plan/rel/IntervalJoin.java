package io.rowtime.plan.rel;

import io.rowtime.plan.clock.ClockStep;
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
 * A join of two streams whose rows match only if they are near each other in time.
 *
 * <p>Each row is present during an interval of base times around its ROWTIME. Two rows match if their intervals overlap
 * and the condition holds; the ROWTIME of the pair is the earliest time at which both are present. An outer join emits
 * a row without a match with the last time at which it is present. Duplicates in an input that is distinct count once.
 */
public final class IntervalJoin extends Join {
  private static final String ROWTIME = "$ROWTIME";

  /**
   * The time during which a row is present: {@code from} and {@code to} are milliseconds after its ROWTIME.
   *
   * @param rows if not 0, a row is present until that many later rows of its input have arrived, and {@code to} is 0
   * @param window limits the presence of a row to the window of this FLOOR that contains its ROWTIME: an end of the interval outside
   *     the window is moved to the window's first or last millisecond; null if there is no window
   */
  public record Interval(long from, long to, int rows, ClockStep window) {
    public Interval(long from, long to) {
      this(from, to, 0, null);
    }

    /** Returns the same interval, limited to the windows of a FLOOR. */
    public Interval within(ClockStep floor) {
      return isPoint() ? this : new Interval(from, to, rows, floor);
    }

    /** Returns the earliest time at which a row can begin to be present, in milliseconds after its ROWTIME. */
    public long earliest() {
      return window == null ? from : Math.max(Math.min(from, 0), 1 - window.longest());
    }

    /** Returns the latest time at which a row can be present, in milliseconds after its ROWTIME. */
    public long latest() {
      return window == null ? to : Math.min(Math.max(to, 0), window.longest() - 1);
    }

    /** Returns whether a row is present from the beginning of its window, and all windows have the same length. */
    public boolean beginsWithWindow() {
      return window != null && !window.isCalendar() && from <= 1 - window.millis();
    }

    /** Returns whether a row is present at its ROWTIME only. */
    public boolean isPoint() {
      return from == 0 && to == 0 && rows == 0;
    }
  }

  private final Interval leftInterval;
  private final Interval rightInterval;
  private final boolean leftDistinct;
  private final boolean rightDistinct;
  private final boolean withRowtime;
  private final boolean rowtimeNullable;

  /** @param condition the condition on matching rows, besides that their intervals overlap */
  public IntervalJoin(RelNode left, RelNode right, RexNode condition, JoinRelType type, Interval leftInterval, Interval rightInterval) {
    this(left.getCluster().traitSet(), left, right, condition, type, leftInterval, rightInterval,
        false, false, false, false);
  }

  private IntervalJoin(RelTraitSet traits, RelNode left, RelNode right, RexNode condition, JoinRelType type,
      Interval leftInterval, Interval rightInterval, boolean leftDistinct, boolean rightDistinct, boolean withRowtime, boolean rowtimeNullable) {
    super(left.getCluster(), traits, List.of(), left, right, condition, Set.of(), type);
    this.leftInterval = leftInterval;
    this.rightInterval = rightInterval;
    this.leftDistinct = leftDistinct;
    this.rightDistinct = rightDistinct;
    this.withRowtime = withRowtime;
    this.rowtimeNullable = rowtimeNullable;
  }

  @Override public IntervalJoin copy(RelTraitSet traits, RexNode condition, RelNode newLeft, RelNode newRight, JoinRelType type,
      boolean semiJoinDone) {
    return new IntervalJoin(traits, newLeft, newRight, condition, type, leftInterval, rightInterval, leftDistinct, rightDistinct, withRowtime,
        rowtimeNullable);
  }

  /** Returns the same join with its ROWTIME as an additional last column. */
  public IntervalJoin withRowtime() {
    return withRowtime ? this : withRowtime(false);
  }

  /** Returns the same join with its ROWTIME, which may be NULL if rows of a table may have none. */
  public IntervalJoin withRowtime(boolean nullable) {
    return new IntervalJoin(traitSet, getLeft(), getRight(), getCondition(), joinType, leftInterval, rightInterval, leftDistinct,
        rightDistinct, true, nullable);
  }

  /** Returns the same join over other inputs; duplicates of an input count once if its flag is set. */
  public IntervalJoin distinct(RelNode newLeft, boolean ofLeft, RelNode newRight, boolean ofRight) {
    return new IntervalJoin(traitSet, newLeft, newRight, getCondition(), joinType, leftInterval, rightInterval, ofLeft, ofRight, withRowtime,
        rowtimeNullable);
  }

  public boolean leftDistinct() {
    return leftDistinct;
  }

  public boolean rightDistinct() {
    return rightDistinct;
  }

  /** Returns whether the last column is the ROWTIME of the join. */
  public boolean hasRowtime() {
    return withRowtime;
  }

  @Override protected RelDataType deriveRowType() {
    RelDataType both = super.deriveRowType();
    if (!withRowtime) {
      return both;
    }
    RelDataTypeFactory types = getCluster().getTypeFactory();
    RelDataType rowtime = types.createTypeWithNullability(types.createSqlType(SqlTypeName.TIMESTAMP, 3), rowtimeNullable);
    return types.builder().addAll(both.getFieldList()).add(ROWTIME, rowtime).build();
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

  /**
   * Returns how long after its ROWTIME a left row can match right rows that are still to arrive, in milliseconds; 0 if
   * the interval counts rows.
   */
  public long leftKept() {
    return Math.max(0, leftInterval.latest() - rightInterval.earliest());
  }

  /**
   * Returns how long after its ROWTIME a right row can match left rows that are still to arrive, in milliseconds; 0 if
   * the interval counts rows.
   */
  public long rightKept() {
    return Math.max(0, rightInterval.latest() - leftInterval.earliest());
  }

  /** Returns the FLOOR whose windows contain both rows of a match, or null if there is none. */
  public ClockStep window() {
    return leftInterval.window == null ? rightInterval.window : leftInterval.window;
  }

  /** Returns the equalities of the condition, and the rest of it. */
  public JoinKeys keys() {
    return JoinKeys.of(getLeft(), getRight(), getCondition());
  }
}
