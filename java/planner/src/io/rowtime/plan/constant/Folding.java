package io.rowtime.plan.constant;

import java.math.BigDecimal;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.util.NlsString;

/**
 * Decides which constant expressions the planner may compute: those whose cost in time and memory is bounded by their
 * length. All others are computed by a task when the query runs: {@code REPEAT('x', 2000000000)} is short but its value
 * is not, and regular expressions and stylesheets can take any amount of time. So are those whose value may differ from
 * Calcite's ({@link EngineDifferences}).
 */
final class Folding {
  private static final Set<SqlKind> KINDS = EnumSet.of(SqlKind.CAST, SqlKind.SAFE_CAST, SqlKind.REINTERPRET, SqlKind.PLUS,
      SqlKind.MINUS, SqlKind.TIMES, SqlKind.DIVIDE, SqlKind.MOD, SqlKind.PLUS_PREFIX, SqlKind.MINUS_PREFIX,
      SqlKind.CHECKED_PLUS, SqlKind.CHECKED_MINUS, SqlKind.CHECKED_TIMES, SqlKind.CHECKED_DIVIDE, SqlKind.CHECKED_MINUS_PREFIX,
      SqlKind.EQUALS, SqlKind.NOT_EQUALS, SqlKind.LESS_THAN, SqlKind.LESS_THAN_OR_EQUAL, SqlKind.GREATER_THAN,
      SqlKind.GREATER_THAN_OR_EQUAL, SqlKind.AND, SqlKind.OR, SqlKind.NOT, SqlKind.IS_NULL, SqlKind.IS_NOT_NULL,
      SqlKind.IS_TRUE, SqlKind.IS_FALSE, SqlKind.IS_NOT_TRUE, SqlKind.IS_NOT_FALSE, SqlKind.CASE, SqlKind.COALESCE,
      SqlKind.NULLIF, SqlKind.FLOOR, SqlKind.CEIL, SqlKind.EXTRACT, SqlKind.TIMESTAMP_ADD,
      SqlKind.TIMESTAMP_DIFF, SqlKind.TRIM, SqlKind.LTRIM, SqlKind.RTRIM, SqlKind.POSITION, SqlKind.CHAR_LENGTH,
      SqlKind.ROW, SqlKind.ARRAY_VALUE_CONSTRUCTOR, SqlKind.MAP_VALUE_CONSTRUCTOR, SqlKind.MULTISET_VALUE_CONSTRUCTOR);

  private static final Set<String> NAMES = Set.of("||", "UPPER", "LOWER", "INITCAP", "SUBSTRING", "OVERLAY", "CHAR_LENGTH",
      "CHARACTER_LENGTH", "OCTET_LENGTH", "ABS", "SIGN", "ROUND", "TRUNCATE", "SQRT", "CBRT", "EXP", "LN", "LOG10", "POWER",
      "SIN", "COS", "TAN", "COT", "ASIN", "ACOS", "ATAN", "ATAN2", "DEGREES", "RADIANS", "PI", "DATETIME_PLUS", "-");

  /** Expressions with more nodes or more characters are not folded. */
  private static final int MAX_NODES = 1_000;
  private static final int MAX_CHARACTERS = 100_000;
  /**
   * The maximum number of digits before or after the decimal point. The exponent of a literal alone can make a number
   * of a billion digits.
   */
  private static final int MAX_DIGITS = 1_000;

  private int nodes;
  private long characters;

  private Folding() {}

  /** Returns whether the planner may compute this expression, which has no inputs. */
  static boolean allows(RexNode expression) {
    return new Folding().isBounded(expression);
  }

  private boolean isBounded(RexNode node) {
    if (++nodes > MAX_NODES || !isBounded(node.getType())) {
      return false;
    }
    if (node instanceof RexLiteral literal) {
      return isBounded(literal);
    }
    return node instanceof RexCall call
        && (KINDS.contains(call.getKind()) || NAMES.contains(call.getOperator().getName().toUpperCase(Locale.ROOT)))
        && !EngineDifferences.mayDiffer(call) && call.getOperands().stream().allMatch(this::isBounded);
  }

  private boolean isBounded(RexLiteral literal) {
    Comparable<?> value = literal.getValueAs(Comparable.class);
    if (value instanceof NlsString text) {
      characters += text.getValue().length();
      if (EngineDifferences.mayDiffer(text.getValue())) {
        return false;
      }
    } else if (value instanceof BigDecimal number) {
      return Math.abs((long) number.scale()) <= MAX_DIGITS && number.precision() <= MAX_DIGITS;
    }
    return characters <= MAX_CHARACTERS;
  }

  /** CHAR(n) and BINARY(n) values are padded to their length. */
  private boolean isBounded(RelDataType type) {
    if (type.getSqlTypeName() == SqlTypeName.CHAR || type.getSqlTypeName() == SqlTypeName.BINARY) {
      characters += type.getPrecision();
    }
    return characters <= MAX_CHARACTERS;
  }
}
