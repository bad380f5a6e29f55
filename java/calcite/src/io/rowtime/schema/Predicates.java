package io.rowtime.schema;

import io.delta.kernel.expressions.Column;
import io.delta.kernel.expressions.Expression;
import io.delta.kernel.expressions.Literal;
import io.delta.kernel.expressions.Predicate;
import io.delta.kernel.types.DataType;
import io.delta.kernel.types.DecimalType;
import io.delta.kernel.types.StructType;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.List;
import java.util.Optional;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexUtil;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.type.SqlTypeName;

/**
 * Converts Calcite's filters to predicates of Delta Kernel, over stored columns and stored values.
 *
 * <p>A predicate only chooses files and row groups, so it may be weaker than the filter: conditions that the kernel
 * cannot express, or compares in another way than Calcite, are left out. These are approximate numbers, because of NaN,
 * and the order of texts.
 */
final class Predicates {
  private final StructType stored;

  /** @param stored the columns of the table as they are stored, in the order of the filters' columns */
  Predicates(StructType stored) {
    this.stored = stored;
  }

  /**
   * Returns a predicate that is true for all rows that satisfy {@code filters}; empty if there is no useful one. The
   * filters must not contain SEARCH.
   */
  Optional<Predicate> of(List<RexNode> filters) {
    return filters.stream().map(this::of).flatMap(Optional::stream).reduce(Predicates::and);
  }

  private Optional<Predicate> of(RexNode filter) {
    if (!(filter instanceof RexCall call)) {
      return Optional.empty();
    }
    return switch (call.getKind()) {
      case AND -> of(call.getOperands());
      case OR -> either(call.getOperands());
      case IS_NULL, IS_NOT_NULL -> column(call.getOperands().get(0)).map(column -> new Predicate(
          call.getKind() == SqlKind.IS_NULL ? "IS_NULL" : "IS_NOT_NULL", (Expression) column));
      case EQUALS, LESS_THAN, LESS_THAN_OR_EQUAL, GREATER_THAN, GREATER_THAN_OR_EQUAL ->
          comparison(call.getKind(), call.getOperands().get(0), call.getOperands().get(1));
      default -> Optional.empty();
    };
  }

  private Optional<Predicate> either(List<RexNode> operands) {
    List<Optional<Predicate>> parts = operands.stream().map(this::of).toList();
    return parts.stream().allMatch(Optional::isPresent)
        ? parts.stream().flatMap(Optional::stream).reduce((a, b) -> new Predicate("OR", a, b)) : Optional.empty();
  }

  private Optional<Predicate> comparison(SqlKind kind, RexNode left, RexNode right) {
    if (left instanceof RexLiteral) {
      return right instanceof RexLiteral ? Optional.empty() : comparison(kind.reverse(), right, left);
    }
    if (!(right instanceof RexLiteral literal) || literal.isNull()) {
      return Optional.empty();
    }
    return column(left).flatMap(column -> value(kind, withoutCasts(left), literal).map(value -> new Predicate(kind.sql, column, value)));
  }

  private Optional<Column> column(RexNode node) {
    return withoutCasts(node) instanceof RexInputRef reference
        ? Optional.of(new Column(stored.at(reference.getIndex()).getName())) : Optional.empty();
  }

  /** Returns the column below casts that preserve its values and their order. */
  private static RexNode withoutCasts(RexNode node) {
    RexNode bare = node;
    while (bare instanceof RexCall call && call.getKind() == SqlKind.CAST && RexUtil.isLosslessCast(call)
        && call.getType().getSqlTypeName().getFamily() == call.getOperands().get(0).getType().getSqlTypeName().getFamily()) {
      bare = call.getOperands().get(0);
    }
    return bare;
  }

  /** Returns the value of a literal in the column's stored form; empty if it has no such value. */
  private Optional<Literal> value(SqlKind kind, RexNode column, RexLiteral literal) {
    SqlTypeName type = column.getType().getSqlTypeName();
    try {
      return Optional.ofNullable(switch (type) {
        case TINYINT -> Literal.ofByte(number(literal).byteValueExact());
        case SMALLINT -> Literal.ofShort(number(literal).shortValueExact());
        case INTEGER -> Literal.ofInt(number(literal).intValueExact());
        case BIGINT -> Literal.ofLong(number(literal).longValueExact());
        case DECIMAL -> decimal(number(literal), stored.at(((RexInputRef) column).getIndex()).getDataType());
        case DATE -> literal.getTypeName() == SqlTypeName.DATE ? Literal.ofDate(literal.getValueAs(Integer.class)) : null;
        case TIMESTAMP -> literal.getTypeName() == SqlTypeName.TIMESTAMP
            ? Literal.ofTimestamp(Math.multiplyExact(literal.getValueAs(Long.class), StoredValue.MICROS)) : null;
        case TIME -> literal.getTypeName() == SqlTypeName.TIME
            ? Literal.ofLong(literal.getValueAs(Integer.class) * StoredValue.MICROS) : null;
        case VARCHAR -> kind == SqlKind.EQUALS && literal.getTypeName() == SqlTypeName.CHAR
            ? Literal.ofString(literal.getValueAs(String.class)) : null;
        default -> null;
      });
    } catch (ArithmeticException e) {
      return Optional.empty();
    }
  }

  /** Returns the literal in the type of the column. */
  private static Literal decimal(BigDecimal number, DataType type) {
    DecimalType decimal = (DecimalType) type;
    BigDecimal value = number.setScale(decimal.getScale(), RoundingMode.UNNECESSARY);
    return value.precision() > decimal.getPrecision() ? null : Literal.ofDecimal(value, decimal.getPrecision(), decimal.getScale());
  }

  private static BigDecimal number(RexLiteral literal) {
    BigDecimal number = literal.getTypeName() == SqlTypeName.DECIMAL ? literal.getValueAs(BigDecimal.class) : null;
    if (number == null) {
      throw new ArithmeticException("not an exact number");
    }
    return number;
  }

  private static Predicate and(Predicate a, Predicate b) {
    return new Predicate("AND", a, b);
  }
}
