package io.rowtime.plan.convert;

import com.google.common.collect.ImmutableRangeSet;
import com.google.common.collect.Range;
import io.rowtime.plan.rel.Conjuncts;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexUnknownAs;
import org.apache.calcite.rex.RexUtil;
import org.apache.calcite.sql.SqlBasicCall;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlLiteral;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlNumericLiteral;
import org.apache.calcite.sql.SqlOperator;
import org.apache.calcite.sql.SqlSpecialOperator;
import org.apache.calcite.sql.SqlWriter;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.type.InferTypes;
import org.apache.calcite.sql.type.ReturnTypes;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.sql.util.SqlBasicVisitor;
import org.apache.calcite.sql.validate.SqlValidator;
import org.apache.calcite.sql2rel.SqlRexContext;
import org.apache.calcite.util.DateString;
import org.apache.calcite.util.NlsString;
import org.apache.calcite.util.Sarg;
import org.apache.calcite.util.TimestampString;

/**
 * IN or NOT IN with a long list of constants of the type of the value. Calcite converts each constant, and the value
 * with it, to a comparison of its own, and every later pass walks over all of them. Here the list becomes a single SEARCH.
 *
 * <p>In a validated statement, {@link #mark} replaces the operator of such a call, so the call keeps its operands.
 */
final class ConstantList extends SqlSpecialOperator {
  private final SqlOperator in;
  private final RelDataType type;
  private final Set<Comparable<Object>> constants;
  private final boolean hasNull;

  private ConstantList(SqlOperator in, RelDataType type, Set<Comparable<Object>> constants, boolean hasNull) {
    // Calls of operators of the same name are equal if their operands are: those in SELECT and in GROUP BY, say.
    super(in.getName(), SqlKind.OTHER, in.getLeftPrec(), true, ReturnTypes.BOOLEAN_NULLABLE, InferTypes.FIRST_KNOWN, null);
    this.in = in;
    this.type = type;
    this.constants = constants;
    this.hasNull = hasNull;
  }

  /** Finds the long lists of a validated statement. */
  static void mark(SqlNode statement, SqlValidator validator, RelDataTypeFactory types) {
    statement.accept(new SqlBasicVisitor<Void>() {
      @Override public Void visit(SqlCall call) {
        if (call instanceof SqlBasicCall in && (call.getKind() == SqlKind.IN || call.getKind() == SqlKind.NOT_IN)
            && in.operand(1) instanceof SqlNodeList list && list.size() >= Conjuncts.LONG_LIST) {
          SqlOperator found = of(in, list, validator, types);
          if (found != null) {
            in.setOperator(found);
            return in.operand(0).accept(this);
          }
        }
        return super.visit(call);
      }
    });
  }

  private static SqlOperator of(SqlBasicCall in, SqlNodeList list, SqlValidator validator, RelDataTypeFactory types) {
    if (in.operand(0).getKind() == SqlKind.ROW) {
      return ConstantRowList.of(in, list, validator, types);
    }
    RelDataType value = validator.getValidatedNodeTypeIfKnown(in.operand(0));
    return value == null ? null : of(in.getOperator(), types.createTypeWithNullability(value, false), list, validator);
  }

  private static ConstantList of(SqlOperator in, RelDataType type, SqlNodeList list, SqlValidator validator) {
    Set<Comparable<Object>> constants = new HashSet<>(list.size() * 2);
    boolean hasNull = false;
    for (SqlNode node : list) {
      SqlLiteral literal = literal(node, type, validator);
      if (literal == null) {
        return null;
      }
      if (literal.getValue() == null) {
        hasNull = true;
        continue;
      }
      Comparable<Object> constant = constant(literal, type);
      if (constant == null) {
        return null;
      }
      constants.add(constant);
    }
    return constants.isEmpty() ? null : new ConstantList(in, type, constants, hasNull);
  }

  /** Returns the value of an element as a literal of the type has it; null if it is NULL, or not exactly a constant of the type. */
  static Comparable<Object> constant(SqlNode node, RelDataType type, SqlValidator validator) {
    SqlLiteral literal = literal(node, type, validator);
    return literal == null || literal.getValue() == null ? null : constant(literal, type);
  }

  /** Returns a literal, also one that the validator has cast to the type of the value; null for other expressions. */
  private static SqlLiteral literal(SqlNode node, RelDataType type, SqlValidator validator) {
    if (node.getKind() == SqlKind.CAST && ((SqlCall) node).operand(0) instanceof SqlLiteral inner) {
      RelDataType cast = validator.getValidatedNodeTypeIfKnown(node);
      // A cast to a shorter text would cut it.
      boolean keeps = inner.getValue() == null || cast != null && cast.getSqlTypeName() == type.getSqlTypeName()
          && (type.getSqlTypeName() == SqlTypeName.VARCHAR ? isWithin(inner, cast)
              : cast.getPrecision() == type.getPrecision() && cast.getScale() == type.getScale());
      return keeps ? inner : null;
    }
    return node instanceof SqlLiteral literal ? literal : null;
  }

  private static boolean isWithin(SqlLiteral literal, RelDataType text) {
    return literal.getTypeName() == SqlTypeName.CHAR && (text.getPrecision() == RelDataType.PRECISION_NOT_SPECIFIED
        || literal.getValueAs(NlsString.class).getValue().length() <= text.getPrecision());
  }

  /** Returns the value of a constant as a literal of the type has it; null if it is not exactly one of the type. */
  @SuppressWarnings("unchecked")
  private static Comparable<Object> constant(SqlLiteral literal, RelDataType type) {
    Object value = switch (type.getSqlTypeName()) {
      case TINYINT, SMALLINT, INTEGER, BIGINT, DECIMAL -> number(literal, type);
      case DOUBLE -> literal instanceof SqlNumericLiteral number ? finite(number.bigDecimalValue()) : null;
      case CHAR -> literal.getTypeName() == SqlTypeName.CHAR
          && literal.getValueAs(NlsString.class).getValue().length() == type.getPrecision() ? text(literal.getValueAs(NlsString.class), type) : null;
      case VARCHAR -> literal.getTypeName() == SqlTypeName.CHAR ? text(literal.getValueAs(NlsString.class), type) : null;
      case DATE -> literal.getTypeName() == SqlTypeName.DATE ? literal.getValueAs(DateString.class) : null;
      case TIMESTAMP -> literal.getTypeName() == SqlTypeName.TIMESTAMP ? time(literal.getValueAs(TimestampString.class), type) : null;
      default -> null;
    };
    return (Comparable<Object>) value;
  }

  private static BigDecimal number(SqlLiteral literal, RelDataType type) {
    if (literal.getTypeName() != SqlTypeName.DECIMAL) {
      return null;
    }
    BigDecimal value = literal.bigDecimalValue();
    BigDecimal scaled = value.setScale(type.getScale(), RoundingMode.DOWN);
    int bits = switch (type.getSqlTypeName()) {
      case TINYINT -> 7;
      case SMALLINT -> 15;
      case INTEGER -> 31;
      default -> 63;
    };
    boolean fits = type.getSqlTypeName() == SqlTypeName.DECIMAL ? scaled.precision() <= type.getPrecision()
        : scaled.unscaledValue().bitLength() <= bits;
    return fits && scaled.compareTo(value) == 0 ? scaled : null;
  }

  private static Double finite(BigDecimal number) {
    double value = number.doubleValue();
    return Double.isFinite(value) ? value : null;
  }

  private static NlsString text(NlsString value, RelDataType type) {
    return new NlsString(value.getValue(), type.getCharset().name(), type.getCollation());
  }

  private static TimestampString time(TimestampString value, RelDataType type) {
    return value.round(type.getPrecision()).equals(value) ? value : null;
  }

  RexNode convert(SqlRexContext context, SqlCall call) {
    RexBuilder rex = context.getRexBuilder();
    RexNode search = rex.makeCall(SqlStdOperatorTable.SEARCH, context.convertExpression(call.operand(0)),
        rex.makeSearchArgumentLiteral(sarg(), type));
    RexNode found = hasNull ? RexUtil.composeDisjunction(rex, List.of(search, unknown(rex))) : search;
    return in.kind == SqlKind.NOT_IN ? rex.makeCall(SqlStdOperatorTable.NOT, found) : found;
  }

  @SuppressWarnings({"unchecked", "rawtypes"})
  private Sarg sarg() {
    ImmutableRangeSet.Builder ranges = ImmutableRangeSet.builder();
    constants.forEach(constant -> ranges.add(Range.singleton(constant)));
    return Sarg.of(RexUnknownAs.UNKNOWN, ranges.build());
  }

  private static RexLiteral unknown(RexBuilder rex) {
    return rex.makeNullLiteral(rex.getTypeFactory().createSqlType(SqlTypeName.BOOLEAN));
  }

  @Override public void unparse(SqlWriter writer, SqlCall call, int leftPrec, int rightPrec) {
    in.unparse(writer, call, leftPrec, rightPrec);
  }
}
