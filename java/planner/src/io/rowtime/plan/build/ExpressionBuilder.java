package io.rowtime.plan.build;

import io.rowtime.catalog.TypeText;
import io.rowtime.plan.clock.Closing;
import io.rowtime.plan.clock.RexConstants;
import io.rowtime.plan.node.ComputedCalls;
import io.rowtime.plan.node.Expression;
import io.rowtime.plan.physical.OperatorCalls;
import io.rowtime.validate.UserFunction;
import io.rowtime.validate.function.RowtimeOperators;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.apache.calcite.avatica.util.ByteString;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexCorrelVariable;
import org.apache.calcite.rex.RexFieldAccess;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexLambda;
import org.apache.calcite.rex.RexLambdaRef;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexUtil;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.sql.type.SqlTypeUtil;
import org.apache.calcite.util.DateString;
import org.apache.calcite.util.NlsString;
import org.apache.calcite.util.Sarg;
import org.apache.calcite.util.TimeString;
import org.apache.calcite.util.TimestampString;

/** Makes the expressions of the physical plan, and collects what in them cannot be computed yet. */
final class ExpressionBuilder {

  /** Operators that the translator maps to Spark's; {@link RexOperators} has those that Calcite itself computes. */
  private static final Set<String> ALLOWED = Set.of(
      "+", "-", "*", "/", "MOD", "NEGATE", "=", "<>", "<", "<=", ">", ">=", "AND", "OR", "NOT",
      "IS NULL", "IS NOT NULL", "IS TRUE", "IS FALSE", "IS NOT TRUE", "IS NOT FALSE", "IS DISTINCT FROM",
      "IS NOT DISTINCT FROM", "CASE", "COALESCE", "NULLIF", "||", "LIKE", "SIMILAR TO", "UPPER", "LOWER", "SUBSTRING", "TRIM",
      "CHAR_LENGTH", "POSITION", "OVERLAY", "REPLACE", "INITCAP", "CONCAT", "ABS", "POWER", "SQRT", "LN", "LOG10", "EXP",
      "ROUND", "TRUNCATE", "SIGN", "FLOOR", "CEIL", "EXTRACT", "DATETIME_PLUS", "DATETIME_MINUS", "TIMESTAMP_DIFF",
      "TIMES_INTERVAL", "CURRENT_TIMESTAMP", "LOCALTIMESTAMP", "CURRENT_DATE", "CURRENT_TIME", "LOCALTIME", "TUMBLE",
      "ITEM", "ROW", "MAP", "ARRAY", "CARDINALITY", "REINTERPRET",
      "CBRT", "SIN", "COS", "TAN", "COT", "ASIN", "ACOS", "ATAN", "ATAN2", "DEGREES", "RADIANS", "PI", "RAND",
      "GREATEST", "LEAST", "LEFT", "RIGHT", "LPAD", "RPAD", "LTRIM", "RTRIM", "REVERSE", "REPEAT", "ASCII",
      "OCTET_LENGTH", "LAST_DAY", "FROM_UTC_TIMESTAMP", "TO_UTC_TIMESTAMP", "LOCAL_REACHED", "IN_HISTORY",
      "CURRENT_USER", "SESSION_USER", "USER", "SYSTEM_USER",
      "FILTER_ELEMENTS", "MAP_ELEMENTS", "ANY_ELEMENT", "COUNT_ELEMENTS", "SUM_ELEMENTS", "MIN_ELEMENT", "MAX_ELEMENT");

  /** The names of TUMBLE, HOP and SESSION in expressions. */
  private static final Set<String> GROUP_WINDOWS = Set.of("TUMBLE", "$HOP", "$SESSION");

  /** Other names for the current time. */
  private static final Map<String, String> SYNONYMS = Map.of("PROCTIME", "CURRENT_TIMESTAMP", "CURRENT_DATETIME", "LOCALTIMESTAMP",
      "SYSDATE", "CURRENT_DATE");

  private final RexBuilder rex;
  private final Set<String> unsupported = new TreeSet<>();
  private final Set<String> reasons = new TreeSet<>();
  private final Set<String> windows = new TreeSet<>();

  ExpressionBuilder(RexBuilder rex) {
    this.rex = rex;
  }

  /** Returns the names of the operators found that are not on the allow-list. */
  Set<String> unsupported() {
    return unsupported;
  }

  /** Returns further reasons why the expressions cannot be computed yet. */
  Set<String> reasons() {
    return reasons;
  }

  /** Returns those of these reasons that are about the windows of a GROUP BY. */
  Set<String> windows() {
    return windows;
  }

  private void refuse(String reason) {
    if (reason != null) {
      reasons.add(reason);
    }
  }

  Expression of(RexNode node) {
    if (!(node instanceof RexLambda)) {
      refuse(Untranslated.type(node.getType()));
    }
    if (node instanceof RexInputRef ref) {
      return new Expression.ColumnRef(ref.getIndex(), TypeText.of(ref.getType()), ref.getType().isNullable());
    }
    if (node instanceof RexLiteral literal) {
      return literal(literal);
    }
    if (node instanceof RexFieldAccess access) {
      return field(access);
    }
    if (node instanceof RexLambda lambda) {
      RexNode body = lambda.getExpression();
      return new Expression.Lambda(lambda.getParameters().get(0).getName(), of(body), TypeText.of(body.getType()), body.getType().isNullable());
    }
    if (node instanceof RexLambdaRef element) {
      return new Expression.Element(element.getName(), TypeText.of(element.getType()), element.getType().isNullable());
    }
    if (node instanceof RexCall call) {
      return call.getKind() == SqlKind.SEARCH ? search(call) : call(call);
    }
    unsupported.add(node.getKind().sql);
    return call(node.getKind().sql, List.of(), node.getType());
  }

  List<Expression> all(List<? extends RexNode> nodes) {
    List<Expression> expressions = new ArrayList<>(nodes.size());
    nodes.forEach(node -> expressions.add(of(node)));
    return expressions;
  }

  /** Returns null for null. */
  Expression ofNullable(RexNode node) {
    return node == null ? null : of(node);
  }

  /** Returns the calls that one of rowtime's own operators computes. */
  ComputedCalls calls(OperatorCalls computed) {
    return new ComputedCalls(computed.calls().stream().map(this::call).toList(), List.copyOf(computed.results()));
  }

  private ComputedCalls.ComputedCall call(OperatorCalls.Call call) {
    List<ComputedCalls.Argument> args = call.args().stream()
        .map(arg -> new ComputedCalls.Argument(of(arg.value()), arg.type() == null ? null : TypeText.of(arg.type()))).toList();
    return new ComputedCalls.ComputedCall(call.function(), args, TypeText.of(call.type()), SparkTypes.of(call.type()), call.number(), call.fraction(), call.separator(),
        call.distinct(), call.ignoreNulls(), ofNullable(call.filter()), call.combinedBy());
  }

  private Expression field(RexFieldAccess access) {
    String name = access.getField().getName();
    String type = TypeText.of(access.getType());
    boolean nullable = access.getType().isNullable();
    return access.getReferenceExpr() instanceof RexCorrelVariable variable
        ? new Expression.OuterColumn(name, variable.id.getName(), access.getField().getIndex(), type, nullable)
        : new Expression.FieldAccess(name, of(access.getReferenceExpr()), type, nullable);
  }

  private static Expression.Call call(String op, List<Expression> args, RelDataType type) {
    return new Expression.Call(op, args, TypeText.of(type), type.isNullable());
  }

  private Expression call(RexCall call) {
    RelDataType type = call.getType();
    if (call.getKind() == SqlKind.CAST || call.getKind() == SqlKind.SAFE_CAST) {
      return new Expression.Cast(of(call.getOperands().get(0)), call.getKind() == SqlKind.SAFE_CAST, TypeText.of(type), type.isNullable());
    }
    if (call.isA(SqlKind.OR) || call.isA(SqlKind.AND)) {
      return connected(call);
    }
    if (call.getOperator() instanceof UserFunction function) {
      refuse(Untranslated.function(call, function));
      return function(call, function);
    }
    String op = SYNONYMS.getOrDefault(name(call), name(call));
    String problem = Untranslated.call(op, call);
    refuse(problem);
    if (problem != null && GROUP_WINDOWS.contains(op)) {
      windows.add(problem);
    }
    List<RexNode> operands = call.getOperands();
    if (op.startsWith("NOT ") && call.getKind() == SqlKind.LIKE) {
      return call("NOT", List.of(call(op.substring(4), all(operands), type)), type);
    }
    if (op.equals("TUMBLE") && operands.size() > 2) {
      operands = List.of(operands.get(0), operands.get(1), Closing.interval(rex, RexConstants.offset(operands.get(2))));
    }
    if (!ALLOWED.contains(op) && !RowtimeOperators.isSparks(call.getOperator())) {
      String computed = RexOperators.computedName(call.getOperator());
      if (computed == null && Untranslated.absent(op) != null) {
        refuse(Untranslated.absent(op));
      } else if (computed != null) {
        op = computed;
      } else if (problem == null) {
        unsupported.add(op);
      }
    }
    return call(op, all(operands), type);
  }

  private Expression connected(RexCall call) {
    List<Expression> args = new ArrayList<>();
    for (Object part : InLists.of(call)) {
      args.add(part instanceof InLists.InList list ? inList(call, list, call.isA(SqlKind.AND)) : of((RexNode) part));
    }
    return args.size() == 1 ? args.get(0) : call(name(call), args, call.getType());
  }

  private Expression search(RexCall call) {
    RexLiteral constants = (RexLiteral) call.getOperands().get(1);
    InLists.InList list = InLists.of(rex, constants.getValueAs(Sarg.class), call.getOperands().get(0), constants.getType());
    return list == null ? of(RexUtil.expandSearch(rex, null, call)) : inList(call, list, false);
  }

  private Expression inList(RexCall call, InLists.InList list, boolean negated) {
    boolean nullable = list.values().stream().anyMatch(value -> value.getType().isNullable());
    RelDataType type = rex.getTypeFactory().createTypeWithNullability(call.getType(), nullable);
    List<Expression> args = all(list.values());
    List<Object> values = new ArrayList<>(list.rows().size());
    list.rows().forEach(row -> row.forEach(constant -> values.add(value(constant))));
    Expression in = new Expression.InConstants(args, values, TypeText.of(type), nullable);
    return negated ? call("NOT", List.of(in), type) : in;
  }

  private Expression function(RexCall call, UserFunction function) {
    return new Expression.FunctionCall(function.definition().name(), function.definition().options().get(UserFunction.LANGUAGE),
        function.definition().options().get(UserFunction.BODY), function.isDeterministic(), all(call.getOperands()),
        TypeText.of(call.getType()), call.getType().isNullable());
  }

  private static String name(RexCall call) {
    RelDataType type = call.getType();
    List<RexNode> args = call.getOperands();
    boolean interval = args.stream().anyMatch(a -> SqlTypeUtil.isInterval(a.getType()));
    return switch (call.getKind()) {
      case PLUS -> SqlTypeUtil.isDatetime(type) ? "DATETIME_PLUS" : "+";
      case MINUS -> SqlTypeUtil.isDatetime(type) ? "DATETIME_MINUS"
          : args.stream().allMatch(a -> SqlTypeUtil.isDatetime(a.getType())) ? "TIMESTAMP_DIFF" : "-";
      case TIMES -> interval ? "TIMES_INTERVAL" : "*";
      case DIVIDE -> "/";
      case MOD -> "MOD";
      case MINUS_PREFIX -> "NEGATE";
      case TUMBLE -> "TUMBLE";
      case CASE -> "CASE";
      case CEIL -> "CEIL";
      case ARRAY_VALUE_CONSTRUCTOR -> "ARRAY";
      case MAP_VALUE_CONSTRUCTOR -> "MAP";
      case CHAR_LENGTH -> "CHAR_LENGTH";
      default -> call.getOperator().getName().toUpperCase(Locale.ROOT);
    };
  }

  private Expression literal(RexLiteral literal) {
    RelDataType type = literal.getType();
    return type.getSqlTypeName() == SqlTypeName.SYMBOL ? Keywords.of(literal.getValue())
        : new Expression.Constant(value(literal), TypeText.of(type), type.isNullable());
  }

  /** Returns the value as the plan has it: null, a Boolean, a number, or a text. */
  private Object value(RexLiteral literal) {
    if (literal.isNull()) {
      return null;
    }
    RelDataType type = literal.getType();
    return switch (type.getSqlTypeName()) {
      case BOOLEAN -> literal.getValueAs(Boolean.class);
      case TINYINT, SMALLINT, INTEGER -> literal.getValueAs(Integer.class);
      case BIGINT -> integer(literal.getValueAs(BigDecimal.class));
      case DECIMAL -> literal.getValueAs(BigDecimal.class).toPlainString();
      case REAL, FLOAT, DOUBLE -> literal.getValueAs(Double.class);
      case CHAR, VARCHAR -> literal.getValueAs(NlsString.class).getValue();
      case BINARY, VARBINARY -> literal.getValueAs(ByteString.class).toString(16);
      case DATE -> literal.getValueAs(DateString.class).toString();
      case TIME -> literal.getValueAs(TimeString.class).toString();
      case TIMESTAMP -> timestamp(literal.getValueAs(TimestampString.class));
      default -> {
        if (SqlTypeUtil.isInterval(type)) {
          yield integer(literal.getValueAs(BigDecimal.class));
        }
        unsupported.add(type.getSqlTypeName().getName() + " literal");
        yield String.valueOf(literal.getValue());
      }
    };
  }

  /** Formats a timestamp as {@code 2020-01-01T10:00:00.000}: three fractional digits, UTC. */
  static String timestamp(TimestampString value) {
    return value.round(3).toString(3).replace(' ', 'T');
  }

  /** Returns an integer as a number if every reader of JSON keeps it exact; else as text. */
  private static Object integer(BigDecimal value) {
    long number = value.longValue();
    return Math.abs(number) < 1L << 53 ? (Object) number : value.toPlainString();
  }
}
