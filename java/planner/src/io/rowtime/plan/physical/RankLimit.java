package io.rowtime.plan.physical;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexUnknownAs;
import org.apache.calcite.rex.RexUtil;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.type.SqlTypeUtil;
import org.apache.calcite.util.Sarg;

/** Finds the largest rank that a row can have if a condition is true. */
final class RankLimit {
  private static final BigDecimal MAX_RANK = BigDecimal.valueOf(Integer.MAX_VALUE - 1);

  private final int rank;

  private RankLimit(int rank) {
    this.rank = rank;
  }

  /**
   * Returns the largest rank, 0 if no rank from 1 on is possible; null if the condition does not limit the field {@code
   * rank}.
   */
  static Integer of(RexNode condition, int rank) {
    BigDecimal most = new RankLimit(rank).most(condition);
    return most == null || most.compareTo(MAX_RANK) > 0 ? null : Integer.valueOf(most.max(BigDecimal.ZERO).intValue());
  }

  /** Returns an expression without casts that preserve its value. */
  static RexNode uncast(RexNode rex) {
    RexNode plain = rex;
    while (plain.isA(SqlKind.CAST) && RexUtil.isLosslessCast(plain)) {
      plain = ((RexCall) plain).getOperands().get(0);
    }
    return plain;
  }

  private BigDecimal most(RexNode condition) {
    if (condition.isAlwaysFalse() || RexUtil.isNullLiteral(condition, true)) {
      return BigDecimal.ZERO;
    }
    if (!(condition instanceof RexCall call)) {
      return null;
    }
    List<RexNode> operands = call.getOperands();
    Stream<BigDecimal> each = operands.stream().map(this::most);
    return switch (call.getKind()) {
      case AND -> each.filter(Objects::nonNull).min(BigDecimal::compareTo).orElse(null);
      case OR -> {
        List<BigDecimal> all = each.toList();
        yield all.contains(null) ? null : all.stream().max(BigDecimal::compareTo).orElse(null);
      }
      case LESS_THAN, LESS_THAN_OR_EQUAL, EQUALS -> most(call.getKind(), operands.get(0), operands.get(1));
      case GREATER_THAN, GREATER_THAN_OR_EQUAL -> most(call.getKind().reverse(), operands.get(1), operands.get(0));
      case SEARCH -> isRank(operands.get(0)) ? greatest(((RexLiteral) operands.get(1)).getValueAs(Sarg.class)) : null;
      default -> null;
    };
  }

  private BigDecimal most(SqlKind kind, RexNode left, RexNode right) {
    if (kind == SqlKind.EQUALS && isRank(right)) {
      return most(kind, right, left);
    }
    BigDecimal number = isRank(left) ? number(right) : null;
    if (number == null) {
      return null;
    }
    return kind == SqlKind.LESS_THAN ? number.setScale(0, RoundingMode.CEILING).subtract(BigDecimal.ONE)
        : number.setScale(0, RoundingMode.FLOOR);
  }

  /** Returns the greatest value of a long list. */
  @SuppressWarnings("unchecked")
  private static BigDecimal greatest(Sarg<?> values) {
    return values.isPoints() && values.nullAs != RexUnknownAs.TRUE ? ((Sarg<BigDecimal>) values).rangeSet.span().upperEndpoint().setScale(0, RoundingMode.FLOOR) : null;
  }

  private boolean isRank(RexNode rex) {
    return uncast(rex) instanceof RexInputRef ref && ref.getIndex() == rank;
  }

  private static BigDecimal number(RexNode rex) {
    return uncast(rex) instanceof RexLiteral literal && SqlTypeUtil.isExactNumeric(literal.getType())
        ? literal.getValueAs(BigDecimal.class) : null;
  }
}
