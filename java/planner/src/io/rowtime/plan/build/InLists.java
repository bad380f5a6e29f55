package io.rowtime.plan.build;

import io.rowtime.plan.rel.Conjuncts;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexUnknownAs;
import org.apache.calcite.rex.RexUtil;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.sql.type.SqlTypeUtil;
import org.apache.calcite.util.Sarg;

/**
 * Finds long lists of constants with which the same values are compared: {@code a = 1 OR a = 2 OR …}, the form of {@code
 * a IN (1, 2, …)} and of {@code (a, b) IN ((1, 2), …)}, and its negation {@code a <> 1 AND a <> 2 AND …}.
 */
final class InLists {
  private final boolean negated;
  private final Map<List<RexNode>, List<List<RexLiteral>>> lists = new LinkedHashMap<>();
  private List<RexNode> last;

  /** Some values, and the rows of constants with which they are compared. */
  record InList(List<RexNode> values, List<List<RexLiteral>> rows) {}

  private InLists(boolean negated) {
    this.negated = negated;
  }

  /**
   * Returns the operands of OR, or of AND, with a list in place of its comparisons: expressions and {@link InList}s. The
   * lists of an AND are those with which the values are not equal.
   */
  static List<Object> of(RexCall call) {
    List<RexNode> operands = call.isA(SqlKind.OR) ? RelOptUtil.disjunctions(call) : RelOptUtil.conjunctions(call);
    return operands.size() < Conjuncts.LONG_LIST ? List.copyOf(call.getOperands()) : new InLists(call.isA(SqlKind.AND)).find(operands);
  }

  /** Returns the list of a SEARCH for many single values; null for one of few, or of ranges. */
  static InList of(RexBuilder rex, Sarg<?> sarg, RexNode value, RelDataType type) {
    if (!sarg.isPoints() || sarg.pointCount < Conjuncts.LONG_LIST || sarg.nullAs != RexUnknownAs.UNKNOWN) {
      return null;
    }
    List<List<RexLiteral>> rows = new ArrayList<>(sarg.pointCount);
    sarg.rangeSet.asRanges().forEach(range -> rows.add(List.of((RexLiteral) rex.makeLiteral(range.lowerEndpoint(), type, true, true))));
    return sameType(value, rows.get(0).get(0)) ? new InList(List.of(value), rows) : null;
  }

  private List<Object> find(List<RexNode> operands) {
    List<Object> found = new ArrayList<>();
    List<List<RexNode>> values = new ArrayList<>();
    for (RexNode operand : operands) {
      values.add(compare(operand));
    }
    Map<List<RexNode>, Boolean> placed = new LinkedHashMap<>();
    for (int i = 0; i < operands.size(); i++) {
      List<RexNode> compared = values.get(i);
      List<List<RexLiteral>> rows = compared == null ? List.of() : lists.get(compared);
      if (rows.size() < Conjuncts.LONG_LIST) {
        found.add(operands.get(i));
      } else if (placed.put(compared, true) == null) {
        found.add(new InList(compared, rows));
      }
    }
    return found;
  }

  /** Adds a comparison to the list of its values, and returns those; null if it is none with constants. */
  private List<RexNode> compare(RexNode operand) {
    List<RexNode> equalities = !negated && operand.isA(SqlKind.AND) ? RelOptUtil.conjunctions(operand) : List.of(operand);
    List<RexNode> values = new ArrayList<>(equalities.size());
    List<RexLiteral> row = new ArrayList<>(equalities.size());
    for (RexNode each : equalities) {
      if (!each.isA(negated ? SqlKind.NOT_EQUALS : SqlKind.EQUALS)) {
        return null;
      }
      RexNode value = ((RexCall) each).getOperands().get(0);
      RexNode constant = ((RexCall) each).getOperands().get(1);
      if (!(constant instanceof RexLiteral literal) || literal.isNull() || !RexUtil.isDeterministic(value) || !sameType(value, literal)) {
        return null;
      }
      values.add(value);
      row.add(literal);
    }
    // Mostly the same objects follow one another.
    last = last != null && last.equals(values) ? last : values;
    lists.computeIfAbsent(last, any -> new ArrayList<>()).add(row);
    return last;
  }

  /** Returns whether a constant is of the type of the values, so that equal ones are equal in any representation. */
  private static boolean sameType(RexNode value, RexLiteral literal) {
    SqlTypeName name = value.getType().getSqlTypeName();
    if (name != literal.getType().getSqlTypeName()) {
      return false;
    }
    return switch (name) {
      case TINYINT, SMALLINT, INTEGER, BIGINT, DOUBLE, VARCHAR, DATE, TIME, TIMESTAMP, BOOLEAN -> true;
      case CHAR, DECIMAL, VARBINARY, BINARY -> SqlTypeUtil.equalSansNullability(value.getType(), literal.getType());
      default -> false;
    };
  }
}
