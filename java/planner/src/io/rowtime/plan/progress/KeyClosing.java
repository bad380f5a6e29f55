package io.rowtime.plan.progress;

import io.rowtime.plan.clock.ClockStep;
import io.rowtime.plan.clock.Closing;
import io.rowtime.plan.clock.RexConstants;
import io.rowtime.plan.monotone.FieldOrder;
import io.rowtime.plan.monotone.GroupingSets;
import io.rowtime.plan.monotone.NodeOrder;
import io.rowtime.plan.monotone.OrderAnalysis;
import io.rowtime.plan.monotone.RexOrder;
import io.rowtime.plan.rel.SessionAggregate;
import java.math.BigDecimal;
import java.util.List;
import org.apache.calcite.avatica.util.TimeUnit;
import org.apache.calcite.avatica.util.TimeUnitRange;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Aggregate;
import org.apache.calcite.rel.core.Filter;
import org.apache.calcite.rel.core.Project;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexUtil;
import org.apache.calcite.sql.SqlIntervalQualifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.sql.type.SqlTypeUtil;
import org.apache.calcite.util.TimestampString;

/**
 * Determines when groups are complete, by one of their keys: a key that follows from the clock of the rows by clock
 * steps, or by an expression that can be inverted. For example, the last order in the group 7 of {@code orderId / 100}
 * is number 799, and the group is complete when the bound has passed it.
 *
 * @param key the index of the key in the aggregate's input
 * @param expr the key as an expression of the innermost expression that follows from the clock by {@code steps}
 * @param inputs the orders of the columns that the expression reads
 * @param steps the steps from the clock of the rows to the innermost expression
 */
public record KeyClosing(int key, RexNode expr, List<FieldOrder> inputs, List<ClockStep> steps) {

  /** Returns the closing by the key that closes groups earliest; null if there is none. */
  public static KeyClosing of(Aggregate aggregate, OrderAnalysis orders) {
    RelNode input = aggregate.getInput();
    if (aggregate instanceof SessionAggregate sessions) {
      NodeOrder order = orders.of(input);
      return order.isByClock(sessions.timeKey()) ? new KeyClosing(sessions.timeKey(), null, null, List.of()) : null;
    }
    KeyClosing best = null;
    for (int key : GroupingSets.common(aggregate)) {
      KeyClosing found = of(input, key, orders);
      if (found != null && (best == null || found.precedes(best))) {
        best = found;
      }
    }
    return best;
  }

  private boolean precedes(KeyClosing other) {
    boolean plain = expr == null;
    return plain != (other.expr == null) ? plain : ClockStep.length(steps) < ClockStep.length(other.steps);
  }

  private static KeyClosing of(RelNode input, int key, OrderAnalysis orders) {
    NodeOrder order = orders.of(input);
    FieldOrder field = order.fields().get(key);
    if (!order.hasClock()) {
      return null;
    }
    if (field.derivesFromRowtime()) {
      List<ClockStep> steps = ClockStep.relative(field.steps(), order.clock());
      return steps == null ? null : new KeyClosing(key, null, null, steps);
    }
    if (!field.monotonicity().makesProgress()) {
      return null;
    }
    RelNode below = input;
    int index = key;
    while (true) {
      if (below instanceof Filter) {
        below = below.getInput(0);
      } else if (below instanceof Project project && project.getProjects().get(index) instanceof RexInputRef ref) {
        index = ref.getIndex();
        below = project.getInput();
      } else {
        break;
      }
    }
    if (!(below instanceof Project project)) {
      return null;
    }
    NodeOrder source = orders.of(project.getInput());
    RexNode expr = project.getProjects().get(index);
    FieldOrder base = base(expr, source.fields());
    // The expression is evaluated at a node whose clock is that of the aggregate's rows.
    if (base == null || !order.clock().equals(source.clock())) {
      return null;
    }
    List<ClockStep> steps = ClockStep.relative(base.steps(), order.clock());
    return steps == null ? null : new KeyClosing(key, expr, source.fields(), steps);
  }

  /**
   * Returns the order of the innermost expression that follows from the clock; null if the expression around it cannot
   * be inverted.
   */
  private static FieldOrder base(RexNode expr, List<FieldOrder> inputs) {
    FieldOrder order = new RexOrder(inputs).of(expr);
    if (order.derivesFromRowtime()) {
      return order;
    }
    RexNode inner = inner(expr);
    return inner == null ? null : base(inner, inputs);
  }

  /** Returns the operand that an invertible expression depends on; null for any other expression. */
  private static RexNode inner(RexNode expr) {
    if (!(expr instanceof RexCall call)) {
      return null;
    }
    List<RexNode> args = call.getOperands();
    return switch (call.getKind()) {
      case MINUS_PREFIX, PLUS_PREFIX, FLOOR, CEIL -> args.size() == 1 ? args.get(0) : null;
      case CAST, SAFE_CAST -> SqlTypeUtil.isNumeric(call.getType()) && SqlTypeUtil.isNumeric(args.get(0).getType()) ? args.get(0) : null;
      case REINTERPRET -> isDayTime(args.get(0)) ? args.get(0) : null;
      case PLUS, MINUS, TIMES -> isSince(call) ? args.get(0) : !SqlTypeUtil.isNumeric(call.getType()) ? null
          : args.get(0).equals(args.get(1)) && call.isA(SqlKind.PLUS) || number(args.get(1)) != null ? args.get(0)
          : number(args.get(0)) != null ? args.get(1) : null;
      case DIVIDE -> SqlTypeUtil.isNumeric(call.getType()) && number(args.get(1)) != null ? args.get(0) : null;
      case EXTRACT -> unit(args.get(0)) == TimeUnit.YEAR || unit(args.get(0)) == TimeUnit.EPOCH ? args.get(1) : null;
      default -> null;
    };
  }

  /** Returns whether a call is the interval from a constant time to another time. */
  private static boolean isSince(RexCall call) {
    return call.isA(SqlKind.MINUS) && isDayTime(call) && SqlTypeUtil.isDatetime(call.getOperands().get(1).getType())
        && RexUtil.isConstant(call.getOperands().get(1));
  }

  private static boolean isDayTime(RexNode node) {
    return SqlTypeUtil.isInterval(node.getType()) && !node.getType().getSqlTypeName().isYearMonth();
  }

  /** Returns the bound of the rows at which the group of a value is complete. */
  public RexNode closes(RexBuilder rex, RexNode value) {
    return new Closing(rex).of(expr == null ? value : new Undo(rex).last(expr, value), steps);
  }

  private static BigDecimal number(RexNode node) {
    return RexConstants.number(node);
  }

  private static TimeUnit unit(RexNode flag) {
    return flag instanceof RexLiteral literal && literal.getValue() instanceof TimeUnitRange range ? range.startUnit : null;
  }

  /** Inverts an expression: finds the last value of its base for which it has a given value, or one soon after. */
  private final class Undo {
    private final RexBuilder rex;

    Undo(RexBuilder rex) {
      this.rex = rex;
    }

    /** @param value a value of the expression */
    RexNode last(RexNode expr, RexNode value) {
      if (isBase(expr)) {
        return value;
      }
      RexCall call = (RexCall) expr;
      List<RexNode> args = call.getOperands();
      RexNode inner = inner(expr);
      boolean first = inner == args.get(0);
      return last(inner, switch (call.getKind()) {
        case MINUS_PREFIX -> call(SqlKind.MINUS, number(0), value);
        case PLUS -> args.get(0).equals(args.get(1)) ? call(SqlKind.DIVIDE, value, number(2)) : call(SqlKind.MINUS, value, args.get(first ? 1 : 0));
        case REINTERPRET -> rex.makeCall(SqlStdOperatorTable.MULTIPLY, Closing.interval(rex, 1), value);
        case MINUS -> isSince(call) ? rex.makeCall(SqlStdOperatorTable.DATETIME_PLUS, args.get(1), value) : first ? call(SqlKind.PLUS, value, args.get(1)) : call(SqlKind.MINUS, args.get(0), value);
        // A product can be divided without a remainder.
        case TIMES -> call(SqlKind.DIVIDE, value, args.get(first ? 1 : 0));
        case DIVIDE -> undoDivision(call, value);
        case EXTRACT -> unit(args.get(0)) == TimeUnit.YEAR ? endOfYear(value) : epoch(value);
        // Bounds are whole numbers themselves.
        case FLOOR -> isBase(inner) ? value : call(SqlKind.PLUS, value, number(1));
        // Rounding may have subtracted up to 1.
        case CAST, SAFE_CAST -> widens(inner.getType(), call.getType()) ? value : call(SqlKind.PLUS, value, number(1));
        default -> value;
      });
    }

    private boolean isBase(RexNode expr) {
      return new RexOrder(inputs).of(expr).derivesFromRowtime();
    }

    private RexNode undoDivision(RexCall call, RexNode value) {
      RexNode divisor = call.getOperands().get(1);
      BigDecimal by = KeyClosing.number(divisor);
      RexNode product = call(SqlKind.TIMES, value, divisor);
      if (!SqlTypeUtil.isIntType(call.getType())) {
        return call(SqlKind.PLUS, product, number(by.abs().longValue() + 1));
      }
      // Division truncates towards 0: there are 2 n - 1 numbers with the quotient 0, the last of which is n - 1.
      RexNode rest = call(SqlKind.PLUS, product, number(by.abs().longValue() - 1));
      RexNode positive = rex.makeCall(by.signum() > 0 ? SqlStdOperatorTable.GREATER_THAN_OR_EQUAL : SqlStdOperatorTable.LESS_THAN_OR_EQUAL,
          value, number(0));
      return rex.makeCall(SqlStdOperatorTable.CASE, positive, rest, product);
    }

    private RexNode endOfYear(RexNode year) {
      RexNode years = rex.makeCall(SqlStdOperatorTable.MULTIPLY,
          rex.makeIntervalLiteral(BigDecimal.valueOf(12), new SqlIntervalQualifier(TimeUnit.YEAR, 4, null, 0, SqlParserPos.ZERO)),
          call(SqlKind.MINUS, year, number(1969)));
      return before(rex.makeCall(SqlStdOperatorTable.DATETIME_PLUS, origin(), years));
    }

    private RexNode epoch(RexNode seconds) {
      RexNode since = rex.makeCall(SqlStdOperatorTable.MULTIPLY, Closing.interval(rex, 1000), call(SqlKind.PLUS, seconds, number(1)));
      return before(rex.makeCall(SqlStdOperatorTable.DATETIME_PLUS, origin(), since));
    }

    private RexNode before(RexNode time) {
      return Closing.plus(rex, time, -1);
    }

    private RexNode origin() {
      return rex.makeTimestampLiteral(TimestampString.fromMillisSinceEpoch(0), 3);
    }

    private RexNode call(SqlKind kind, RexNode left, RexNode right) {
      return rex.makeCall(switch (kind) {
        case PLUS -> SqlStdOperatorTable.PLUS;
        case MINUS -> SqlStdOperatorTable.MINUS;
        case TIMES -> SqlStdOperatorTable.MULTIPLY;
        default -> SqlStdOperatorTable.DIVIDE;
      }, left, right);
    }

    private RexNode number(long value) {
      return rex.makeExactLiteral(BigDecimal.valueOf(value), rex.getTypeFactory().createSqlType(SqlTypeName.BIGINT));
    }

    private static boolean widens(RelDataType from, RelDataType to) {
      return SqlTypeUtil.isExactNumeric(from) && (!SqlTypeUtil.isExactNumeric(to) || scale(to) >= scale(from));
    }

    private static int scale(RelDataType type) {
      return Math.max(0, type.getScale());
    }
  }
}
