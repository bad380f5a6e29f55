package io.rowtime.plan.json;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.rowtime.catalog.TypeText;
import io.rowtime.plan.clock.Closing;
import io.rowtime.plan.clock.RexConstants;
import io.rowtime.validate.UserFunction;
import io.rowtime.validate.function.RowtimeOperators;
import java.math.BigDecimal;
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

/** Writes expressions as the trees of the plan contract. */
final class RexWriter {
  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

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

  /** Other names for the current time. */
  private static final Map<String, String> SYNONYMS = Map.of("PROCTIME", "CURRENT_TIMESTAMP", "CURRENT_DATETIME", "LOCALTIMESTAMP",
      "SYSDATE", "CURRENT_DATE");

  private final RexBuilder rex;
  private final Set<String> unsupported = new TreeSet<>();
  private final Set<String> reasons = new TreeSet<>();

  RexWriter(RexBuilder rex) {
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

  private void refuse(String reason) {
    if (reason != null) {
      reasons.add(reason);
    }
  }

  ObjectNode write(RexNode node) {
    if (!(node instanceof RexLambda)) {
      refuse(Untranslated.type(node.getType()));
    }
    if (node instanceof RexInputRef ref) {
      return withType("ref", ref.getType()).put("index", ref.getIndex());
    }
    if (node instanceof RexLiteral literal) {
      return literal(literal);
    }
    if (node instanceof RexFieldAccess access) {
      return field(access);
    }
    if (node instanceof RexLambda lambda) {
      RexNode body = lambda.getExpression();
      return withType("lambda", body.getType()).put("element", lambda.getParameters().get(0).getName())
          .set("args", JSON.arrayNode().add(write(body)));
    }
    if (node instanceof RexLambdaRef element) {
      return withType("element", element.getType()).put("name", element.getName());
    }
    if (node instanceof RexCall call) {
      return call.getKind() == SqlKind.SEARCH ? search(call) : call(call);
    }
    unsupported.add(node.getKind().sql);
    return withType("call", node.getType()).put("op", node.getKind().sql).set("args", JSON.arrayNode());
  }

  ArrayNode writeAll(List<? extends RexNode> nodes) {
    ArrayNode array = JSON.arrayNode();
    nodes.forEach(n -> array.add(write(n)));
    return array;
  }

  private ObjectNode field(RexFieldAccess access) {
    ObjectNode json = withType("field", access.getType()).put("name", access.getField().getName());
    if (access.getReferenceExpr() instanceof RexCorrelVariable variable) {
      return json.put("correlation", variable.id.getName()).put("index", access.getField().getIndex());
    }
    return json.set("args", JSON.arrayNode().add(write(access.getReferenceExpr())));
  }

  private ObjectNode call(RexCall call) {
    if (call.getKind() == SqlKind.CAST || call.getKind() == SqlKind.SAFE_CAST) {
      return withType("cast", call.getType()).put("safe", call.getKind() == SqlKind.SAFE_CAST)
          .set("args", JSON.arrayNode().add(write(call.getOperands().get(0))));
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
    List<RexNode> operands = call.getOperands();
    if (op.startsWith("NOT ") && call.getKind() == SqlKind.LIKE) {
      return withType("call", call.getType()).put("op", "NOT").set("args", JSON.arrayNode().add(
          withType("call", call.getType()).put("op", op.substring(4)).set("args", writeAll(operands))));
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
    return withType("call", call.getType()).put("op", op).set("args", writeAll(operands));
  }

  private ObjectNode connected(RexCall call) {
    ArrayNode args = JSON.arrayNode();
    for (Object part : InLists.of(call)) {
      args.add(part instanceof InLists.InList list ? inList(call, list, call.isA(SqlKind.AND)) : write((RexNode) part));
    }
    return args.size() == 1 ? (ObjectNode) args.get(0)
        : withType("call", call.getType()).put("op", name(call)).set("args", args);
  }

  private ObjectNode search(RexCall call) {
    RexLiteral constants = (RexLiteral) call.getOperands().get(1);
    InLists.InList list = InLists.of(rex, constants.getValueAs(Sarg.class), call.getOperands().get(0), constants.getType());
    return list == null ? write(RexUtil.expandSearch(rex, null, call)) : inList(call, list, false);
  }

  private ObjectNode inList(RexCall call, InLists.InList list, boolean negated) {
    boolean nullable = list.values().stream().anyMatch(value -> value.getType().isNullable());
    RelDataType type = rex.getTypeFactory().createTypeWithNullability(call.getType(), nullable);
    ArrayNode values = JSON.arrayNode();
    list.rows().forEach(row -> row.forEach(constant -> values.add(literal(constant).get("value"))));
    ObjectNode json = withType("in", type).set("args", writeAll(list.values()));
    json.set("values", values);
    return !negated ? json : withType("call", type).put("op", "NOT").set("args", JSON.arrayNode().add(json));
  }

  private ObjectNode function(RexCall call, UserFunction function) {
    ObjectNode json = withType("function", call.getType()).put("name", function.definition().name())
        .put("language", function.definition().options().get(UserFunction.LANGUAGE))
        .put("body", function.definition().options().get(UserFunction.BODY)).put("deterministic", function.isDeterministic());
    return json.set("args", writeAll(call.getOperands()));
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

  private ObjectNode literal(RexLiteral literal) {
    RelDataType type = literal.getType();
    if (type.getSqlTypeName() == SqlTypeName.SYMBOL) {
      return RexSymbols.write(literal.getValue());
    }
    ObjectNode json = withType("literal", type);
    if (literal.isNull()) {
      json.putNull("value");
      return json;
    }
    switch (type.getSqlTypeName()) {
      case BOOLEAN -> json.put("value", literal.getValueAs(Boolean.class));
      case TINYINT, SMALLINT, INTEGER -> json.put("value", literal.getValueAs(Integer.class));
      case BIGINT -> integer(json, literal.getValueAs(BigDecimal.class));
      case DECIMAL -> json.put("value", literal.getValueAs(BigDecimal.class).toPlainString());
      case REAL, FLOAT, DOUBLE -> json.put("value", literal.getValueAs(Double.class));
      case CHAR, VARCHAR -> json.put("value", literal.getValueAs(NlsString.class).getValue());
      case BINARY, VARBINARY -> json.put("value", literal.getValueAs(ByteString.class).toString(16));
      case DATE -> json.put("value", literal.getValueAs(DateString.class).toString());
      case TIME -> json.put("value", literal.getValueAs(TimeString.class).toString());
      case TIMESTAMP -> json.put("value", timestamp(literal.getValueAs(TimestampString.class)));
      default -> {
        if (SqlTypeUtil.isInterval(type)) {
          integer(json, literal.getValueAs(BigDecimal.class));
        } else {
          unsupported.add(type.getSqlTypeName().getName() + " literal");
          json.put("value", String.valueOf(literal.getValue()));
        }
      }
    }
    return json;
  }

  /** Formats a timestamp as {@code 2020-01-01T10:00:00.000}: three fractional digits, UTC. */
  static String timestamp(TimestampString value) {
    return value.round(3).toString(3).replace(' ', 'T');
  }

  /** Writes an integer as a number if every JSON reader keeps it exact; else as text. */
  private static void integer(ObjectNode json, BigDecimal value) {
    long number = value.longValue();
    if (Math.abs(number) < 1L << 53) {
      json.put("value", number);
    } else {
      json.put("value", value.toPlainString());
    }
  }

  private static ObjectNode withType(String kind, RelDataType type) {
    return JSON.objectNode().put("kind", kind).put("type", TypeText.of(type)).put("nullable", type.isNullable());
  }
}
