package io.rowtime.plan.build;

import io.rowtime.catalog.TypeText;
import io.rowtime.validate.UserFunction;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.calcite.avatica.util.TimeUnit;
import org.apache.calcite.avatica.util.TimeUnitRange;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.sql.type.SqlTypeUtil;

/** Finds valid expressions and types that cannot be computed yet although their operator is supported. */
public final class Untranslated {
  private static final Set<SqlTypeName> TYPES = Set.of(SqlTypeName.BOOLEAN, SqlTypeName.TINYINT, SqlTypeName.SMALLINT,
      SqlTypeName.INTEGER, SqlTypeName.BIGINT, SqlTypeName.DECIMAL, SqlTypeName.REAL, SqlTypeName.FLOAT, SqlTypeName.DOUBLE,
      SqlTypeName.CHAR, SqlTypeName.VARCHAR, SqlTypeName.BINARY, SqlTypeName.VARBINARY, SqlTypeName.DATE, SqlTypeName.TIME,
      SqlTypeName.TIMESTAMP, SqlTypeName.NULL, SqlTypeName.SYMBOL, SqlTypeName.ANY);
  /** The units to which FLOOR and CEIL round a date or a timestamp. */
  private static final Set<String> ROUNDED = Set.of("MILLISECOND", "SECOND", "MINUTE", "HOUR", "DAY", "WEEK", "MONTH",
      "QUARTER", "YEAR", "DECADE", "CENTURY", "MILLENNIUM");
  private static final Set<String> FIELDS = Set.of("YEAR", "QUARTER", "MONTH", "WEEK", "DAY", "DOY", "DOW", "HOUR", "MINUTE",
      "SECOND", "MILLISECOND", "MICROSECOND", "NANOSECOND", "ISODOW", "ISOYEAR", "DECADE", "CENTURY", "MILLENNIUM", "EPOCH");
  private static final Set<String> FIELDS_OF_MONTHS = Set.of("YEAR", "MONTH");
  private static final Set<String> FIELDS_OF_DAYS = Set.of("DAY", "HOUR", "MINUTE", "SECOND", "MILLISECOND", "MICROSECOND", "EPOCH");

  private static final Set<SqlKind> COMPARISONS = Set.of(SqlKind.EQUALS, SqlKind.NOT_EQUALS, SqlKind.LESS_THAN, SqlKind.LESS_THAN_OR_EQUAL,
      SqlKind.GREATER_THAN, SqlKind.GREATER_THAN_OR_EQUAL, SqlKind.IS_DISTINCT_FROM, SqlKind.IS_NOT_DISTINCT_FROM);

  /** Functions whose subject does not exist in rowtime, with what to do instead. */
  private static final Map<String, String> ABSENT = Map.of(
      "CURRENT_CATALOG", "CURRENT_CATALOG (a warehouse is the only catalog)",
      "CURRENT_SCHEMA", "CURRENT_SCHEMA (a warehouse has no schemas)",
      "CURRENT_PATH", "CURRENT_PATH (a warehouse has no schemas)",
      "CURRENT_ROLE", "CURRENT_ROLE (a warehouse has no roles; CURRENT_USER is who runs the query)",
      "SYSTIMESTAMP", "SYSTIMESTAMP (CURRENT_TIMESTAMP is the time in UTC)",
      "NEXT_VALUE", "NEXT VALUE (a warehouse has no sequences)",
      "CURRENT_VALUE", "CURRENT VALUE (a warehouse has no sequences)");

  private Untranslated() {}

  /** Returns why a function does not exist in rowtime; null if there is nothing to say about it. */
  static String absent(String op) {
    return ABSENT.get(op);
  }

  /** Returns the part of a type that has no values in Spark; null if Spark has values for all of it. */
  public static String type(RelDataType type) {
    if (type.isStruct()) {
      return type.getFieldList().stream().map(field -> type(field.getType())).filter(found -> found != null).findFirst().orElse(null);
    }
    return switch (type.getSqlTypeName()) {
      case ARRAY, MULTISET -> type(type.getComponentType());
      case MAP -> type(type.getKeyType()) != null ? type(type.getKeyType()) : type(type.getValueType());
      default -> TYPES.contains(type.getSqlTypeName()) || SqlTypeUtil.isInterval(type) ? null : "the type " + TypeText.of(type);
    };
  }

  /** Returns whether values of a type cannot be compared in expressions, nor put in order: those of MAP, and with one within them. */
  static boolean containsMap(RelDataType type) {
    if (type.isStruct()) {
      return type.getFieldList().stream().anyMatch(field -> containsMap(field.getType()));
    }
    return type.getSqlTypeName() == SqlTypeName.MAP || type.getComponentType() != null && containsMap(type.getComponentType());
  }

  /** Returns whether one of the columns of rows has such a type. */
  static boolean hasMap(RelDataType rows, Iterable<Integer> columns) {
    for (int column : columns) {
      if (containsMap(rows.getFieldList().get(column).getType())) {
        return true;
      }
    }
    return false;
  }

  /** Returns what a call of the operator {@code op} of the plan cannot do; null if the call can be computed. */
  static String call(String op, RexCall call) {
    List<RexNode> args = call.getOperands();
    return switch (op) {
      case "FLOOR", "CEIL" -> args.size() == 1 || args.get(0).getType().getSqlTypeName() == SqlTypeName.TIME
          || ROUNDED.contains(unit(args.get(1))) ? null : op + " TO " + unit(args.get(1));
      case "TUMBLE" -> args.get(1) instanceof RexLiteral && !isMonths(args.get(1).getType()) ? null : window(op, args);
      case "$HOP" -> window("HOP", args);
      case "$SESSION" -> window("SESSION", args);
      case "EXTRACT" -> extract(unit(args.get(0)), args.get(1).getType());
      case "BITXOR", "^" -> SqlTypeUtil.isIntType(args.get(0).getType()) ? null : op + " of " + TypeText.of(args.get(0).getType());
      default -> COMPARISONS.contains(call.getKind()) && args.stream().anyMatch(arg -> containsMap(arg.getType())) ? "comparing values of type MAP" : null;
    };
  }

  /** Returns why a window function cannot run with its arguments; null if the arguments are not the reason. */
  static String window(String function, List<RexNode> args) {
    if (args.stream().noneMatch(arg -> isMonths(arg.getType()))) {
      return args.stream().allMatch(arg -> arg instanceof RexLiteral || !SqlTypeUtil.isInterval(arg.getType())) ? null
          : function + " by an interval that is not constant";
    }
    String sums = " (group by FLOOR(… TO MONTH), and add the months up by OVER with a RANGE of days)";
    return switch (function) {
      case "TUMBLE" -> (args.size() > 2 ? "TUMBLE by months with an offset" : "TUMBLE by months other than 1, 3, 12 and 120") + sums;
      case "HOP" -> "HOP by months" + sums;
      default -> function + " by months (a month has no fixed length: give its gap in days)";
    };
  }

  /** Returns the values that a user-defined function can neither take nor return; null if there are none. */
  static String function(RexCall call, UserFunction function) {
    boolean months = isMonths(call.getType()) || call.getOperands().stream().anyMatch(arg -> isMonths(arg.getType()));
    boolean python = "PYTHON".equals(function.definition().options().get(UserFunction.LANGUAGE));
    return months && python ? "intervals of months in the Python function '" + function.definition().name() + "'" : null;
  }

  private static String extract(String unit, RelDataType type) {
    boolean interval = SqlTypeUtil.isInterval(type);
    Set<String> fields = !interval ? FIELDS : isMonths(type) ? FIELDS_OF_MONTHS : FIELDS_OF_DAYS;
    return fields.contains(unit) ? null
        : "EXTRACT(" + unit + " FROM …)" + (!interval ? "" : isMonths(type) ? " of an interval of months" : " of an interval of days");
  }

  private static boolean isMonths(RelDataType type) {
    return SqlTypeUtil.isInterval(type) && type.getSqlTypeName().isYearMonth();
  }

  private static String unit(RexNode symbol) {
    Object value = symbol instanceof RexLiteral literal ? literal.getValue() : null;
    return value instanceof TimeUnitRange range ? range.name() : value instanceof TimeUnit unit ? unit.name() : String.valueOf(value);
  }
}
