package io.rowtime.plan.rel;

import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexUtil;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.sql.type.SqlTypeUtil;
import org.apache.calcite.util.ImmutableBitSet;

/**
 * The equality conditions of a join whose sides read one input each: expressions that are equal in matching rows.
 *
 * @param left expressions over the left row
 * @param right expressions over the right row alone
 * @param conjuncts the equalities themselves
 * @param others the other conjuncts of the condition, over both rows
 */
public record JoinKeys(List<RexNode> left, List<RexNode> right, List<RexNode> conjuncts, List<RexNode> others) {

  public static JoinKeys of(RelNode left, RelNode right, RexNode condition) {
    JoinKeys keys = new JoinKeys(new ArrayList<>(), new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
    int width = left.getRowType().getFieldCount();
    for (RexNode conjunct : RelOptUtil.conjunctions(condition)) {
      RexNode[] sides = sides(conjunct, left, right);
      if (sides != null) {
        keys.left.add(sides[0]);
        keys.right.add(RexUtil.shift(sides[1], -width));
        keys.conjuncts.add(conjunct);
      } else if (!conjunct.isAlwaysTrue()) {
        keys.others.add(conjunct);
      }
    }
    return keys;
  }

  /** Returns the conjunction of the conditions; null if there are none. */
  public static RexNode all(List<RexNode> conditions, RexBuilder rex) {
    return conditions.isEmpty() ? null : RexUtil.composeConjunction(rex, conditions);
  }

  /** Returns the left and the right side of an equality, in a common type; null for any other condition. */
  private static RexNode[] sides(RexNode conjunct, RelNode left, RelNode right) {
    if (!(conjunct instanceof RexCall call) || call.getKind() != SqlKind.EQUALS) {
      return null;
    }
    RexNode a = call.getOperands().get(0);
    RexNode b = call.getOperands().get(1);
    int width = left.getRowType().getFieldCount();
    ImmutableBitSet lefts = ImmutableBitSet.range(width);
    ImmutableBitSet rights = ImmutableBitSet.range(width, width + right.getRowType().getFieldCount());
    RexNode onLeft = Plans.readsOnly(a, lefts) && Plans.readsOnly(b, rights) ? a
        : Plans.readsOnly(b, lefts) && Plans.readsOnly(a, rights) ? b : null;
    if (onLeft == null || !RexUtil.isDeterministic(conjunct)) {
      return null;
    }
    RexNode onRight = onLeft == a ? b : a;
    if (SqlTypeUtil.equalSansNullability(a.getType(), b.getType())) {
      return new RexNode[] {onLeft, onRight};
    }
    // The values are equal if they are equal in their common type. This is not true for CHAR, which would be padded to
    // another length.
    RexBuilder rex = left.getCluster().getRexBuilder();
    boolean comparable = SqlTypeUtil.isExactNumeric(a.getType()) && SqlTypeUtil.isExactNumeric(b.getType())
        || isVarchar(a) && isVarchar(b);
    RelDataType common = comparable ? left.getCluster().getTypeFactory().leastRestrictive(List.of(a.getType(), b.getType())) : null;
    return common == null ? null : new RexNode[] {rex.ensureType(common, onLeft, true), rex.ensureType(common, onRight, true)};
  }

  private static boolean isVarchar(RexNode expr) {
    return expr.getType().getSqlTypeName() == SqlTypeName.VARCHAR;
  }
}
