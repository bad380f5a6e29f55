package io.rowtime.plan.build;

import io.rowtime.plan.node.Fallible;
import io.rowtime.plan.node.Operator;
import io.rowtime.plan.node.PlanNode;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeField;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexUtil;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.type.SqlTypeUtil;

/** Finds the expressions that can fail for the values of a row. What is not known to be safe is one of them. */
final class FallibleExpressions {
  /** Operators that have a value, or NULL, for all values of their operands. */
  private static final Set<SqlKind> SAFE = Set.of(SqlKind.EQUALS, SqlKind.NOT_EQUALS, SqlKind.LESS_THAN, SqlKind.LESS_THAN_OR_EQUAL,
      SqlKind.GREATER_THAN, SqlKind.GREATER_THAN_OR_EQUAL, SqlKind.AND, SqlKind.OR, SqlKind.NOT, SqlKind.IS_NULL, SqlKind.IS_NOT_NULL,
      SqlKind.IS_TRUE, SqlKind.IS_NOT_TRUE, SqlKind.IS_FALSE, SqlKind.IS_NOT_FALSE, SqlKind.IS_DISTINCT_FROM, SqlKind.IS_NOT_DISTINCT_FROM,
      SqlKind.CASE, SqlKind.COALESCE, SqlKind.NULLIF, SqlKind.SEARCH, SqlKind.LIKE, SqlKind.FLOOR, SqlKind.CEIL, SqlKind.EXTRACT, SqlKind.ROW,
      SqlKind.ARRAY_VALUE_CONSTRUCTOR, SqlKind.SAFE_CAST, SqlKind.TRIM, SqlKind.GREATEST, SqlKind.LEAST, SqlKind.REINTERPRET,
      SqlKind.TUMBLE);
  /** The same, by name. */
  private static final Set<String> SAFE_NAMES = Set.of("||", "UPPER", "LOWER", "CHAR_LENGTH", "CHARACTER_LENGTH", "OCTET_LENGTH", "INITCAP",
      "REVERSE", "ASCII", "PI", "RAND", "CURRENT_TIMESTAMP", "LOCALTIMESTAMP", "CURRENT_DATE", "CURRENT_TIME", "LOCALTIME", "CARDINALITY",
      "LOCAL_REACHED");

  private FallibleExpressions() {}

  /**
   * @param input the node whose rows are computed
   * @param areColumns whether the expressions are columns, which may be NULL, and not a condition
   */
  static Fallible of(List<? extends RexNode> expressions, PlanNode input, Fallible.OnError onError, boolean areColumns) {
    List<Integer> found = IntStream.range(0, expressions.size()).filter(i -> canFail(expressions.get(i))).boxed().toList();
    if (found.isEmpty()) {
      return Fallible.NOTHING;
    }
    if (onError != Fallible.OnError.NULL) {
      return new Fallible(found, List.of(), onError, source(input));
    }
    Map<Boolean, List<Integer>> byNull = found.stream().collect(Collectors.partitioningBy(i -> areColumns && expressions.get(i).getType().isNullable()));
    return new Fallible(byNull.get(false), byNull.get(true), Fallible.OnError.SKIP, source(input));
  }

  private static String source(PlanNode node) {
    PlanNode below = node;
    while (below.operator() instanceof Operator.Project || below.operator() instanceof Operator.Filter || below.operator() instanceof Operator.Lateness) {
      below = below.input(0);
    }
    return below.operator() instanceof Operator.Scan scan ? scan.source() : null;
  }

  static boolean canFail(RexNode node) {
    if (!(node instanceof RexCall call)) {
      return !(node instanceof RexInputRef || node instanceof RexLiteral);
    }
    return !isSafe(call) || call.getOperands().stream().anyMatch(FallibleExpressions::canFail);
  }

  private static boolean isSafe(RexCall call) {
    return SAFE.contains(call.getKind()) || SAFE_NAMES.contains(call.getOperator().getName()) || switch (call.getKind()) {
      // Times are so far from the limits of their type that no interval reaches these.
      case PLUS, MINUS, MINUS_PREFIX -> SqlTypeUtil.isApproximateNumeric(call.getType()) || SqlTypeUtil.isDatetime(call.getType());
      case TIMES -> SqlTypeUtil.isApproximateNumeric(call.getType());
      case DIVIDE, MOD -> isSafeDivisor(call.getOperands().get(1));
      case CAST -> isSafeCast(call.getOperands().get(0).getType(), call.getType())
          || parts(call.getType()).isEmpty() && RexUtil.isLosslessCast(call);
      default -> false;
    };
  }

  /** Returns whether a quotient is within the range of the dividend's type: it is a constant above 1, or 1. */
  private static boolean isSafeDivisor(RexNode divisor) {
    return divisor instanceof RexLiteral literal && literal.getValue() instanceof BigDecimal value && value.compareTo(BigDecimal.ONE) >= 0;
  }

  private static boolean isSafeCast(RelDataType from, RelDataType to) {
    if (to.isStruct() || to.getKeyType() != null || to.getComponentType() != null) {
      // Keys that are different may be converted to equal ones.
      return parts(from).size() == parts(to).size() && (to.getKeyType() == null || isSame(from.getKeyType(), to.getKeyType()))
          && IntStream.range(0, parts(to).size()).allMatch(i -> isSafeCast(parts(from).get(i), parts(to).get(i)));
    }
    return isSame(from, to) || SqlTypeUtil.inCharFamily(to);
  }

  private static boolean isSame(RelDataType from, RelDataType to) {
    return from.getSqlTypeName() == to.getSqlTypeName() && from.getPrecision() == to.getPrecision() && from.getScale() == to.getScale();
  }

  /** Returns the types of the fields of a row, of the key and value of a map, or of the elements of an array; none for other types. */
  private static List<RelDataType> parts(RelDataType type) {
    if (type.isStruct()) {
      return type.getFieldList().stream().map(RelDataTypeField::getType).toList();
    }
    if (type.getKeyType() != null) {
      return List.of(type.getKeyType(), type.getValueType());
    }
    return type.getComponentType() == null ? List.of() : List.of(type.getComponentType());
  }
}
