package io.rowtime.statement;

import io.rowtime.diagnostic.Diagnostic;
import io.rowtime.parse.SqlText;
import io.rowtime.plan.constant.Distances;
import io.rowtime.plan.constant.TimeRange;
import io.rowtime.sql.SqlColumnDeclaration;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.sql.type.SqlTypeUtil;
import org.apache.calcite.sql.util.SqlBasicVisitor;
import org.apache.calcite.sql.validate.SqlValidator;
import org.apache.calcite.util.Util;

/** Checks the constant expressions in a column's declaration: LATENESS, WATERMARK and DEFAULT. */
final class ColumnOrder {
  private final SqlValidator validator;
  private final List<Diagnostic> errors;

  ColumnOrder(SqlValidator validator, List<Diagnostic> errors) {
    this.validator = validator;
    this.errors = errors;
  }

  /**
   * Returns the text of a LATENESS or WATERMARK after checking it: it must be a constant that is not negative and can
   * be subtracted from the column.
   */
  String distance(String clause, SqlNode value, String column, RelDataType type) {
    if (value == null) {
      return null;
    }
    if (!isConstant(value)) {
      error("RT0307", value, clause + " of column '" + column + "' must be a constant", "for example " + clause + " INTERVAL '1' HOUR");
      return null;
    }
    RelDataType distance = validator.getValidatedNodeTypeIfKnown(validator.validateParameterizedExpression(value, Map.of()));
    boolean time = type.getSqlTypeName() == SqlTypeName.TIMESTAMP || type.getSqlTypeName() == SqlTypeName.DATE;
    boolean fits = distance != null && (time
        ? SqlTypeUtil.isInterval(distance) && !distance.getSqlTypeName().isYearMonth()
        : SqlTypeUtil.isNumeric(type) && SqlTypeUtil.isNumeric(distance));
    if (!fits) {
      error("RT0307", value, clause + " of column '" + column + "' cannot be subtracted from its type " + type,
          time ? "give a day-time interval, such as INTERVAL '1' HOUR" : SqlTypeUtil.isNumeric(type) ? "give a number"
              : clause + " is for TIMESTAMP, DATE and numeric columns");
      return null;
    }
    String sql = SqlText.of(value);
    BigDecimal amount = Distances.of(sql);
    if (amount == null || amount.signum() < 0) {
      error("RT0307", value, clause + " of column '" + column + "' is " + (amount == null ? "not a constant" : "negative"),
          "say how far behind a row may be, as a positive amount");
    } else if (time && amount.compareTo(BigDecimal.valueOf(TimeRange.MAX - TimeRange.MIN)) > 0) {
      error("RT0307", value, clause + " of column '" + column + "' exceeds the 9,999 years of the range of times",
          "say how far behind a row may be, such as INTERVAL '1' HOUR");
    }
    return sql;
  }

  /** Checks a MONOTONIC: values of the column's type must have an order, and ROWTIME can only increase. */
  void monotonic(SqlColumnDeclaration declaration, boolean rowtime, RelDataType type) {
    String column = declaration.name.getSimple();
    if (rowtime && declaration.monotonic == SqlColumnDeclaration.Monotonic.DECREASING) {
      error("RT0307", declaration.name, "ROWTIME of a stream increases, so it cannot be MONOTONIC DECREASING", null);
    } else if (!SqlTypeUtil.isNumeric(type) && !SqlTypeUtil.isDatetime(type) && !SqlTypeUtil.inCharFamily(type)) {
      error("RT0307", declaration.name, "Column '" + column + "' of type " + type + " cannot be MONOTONIC", "MONOTONIC is for numbers, times and texts");
    }
  }

  /** Returns the text of a DEFAULT, which must not read columns; null if there is none. */
  String constant(SqlNode value) {
    if (value == null) {
      return null;
    }
    if (!isConstant(value)) {
      error("RT0307", value, "DEFAULT must not read columns", null);
      return null;
    }
    return SqlText.of(value);
  }

  /**
   * Returns whether an expression reads no column. Functions without parentheses, such as CURRENT_DATE, are parsed as
   * calls.
   */
  private static boolean isConstant(SqlNode node) {
    try {
      node.accept(new SqlBasicVisitor<Void>() {
        @Override public Void visit(SqlIdentifier id) {
          if (id.getSimple().startsWith("CURRENT_") || id.getSimple().startsWith("LOCAL")) {
            return null;
          }
          throw Util.FoundOne.NULL;
        }
      });
      return true;
    } catch (Util.FoundOne found) {
      return false;
    }
  }

  private void error(String code, SqlNode place, String message, String hint) {
    errors.add(Diagnostic.error(code, place.getParserPosition(), message, hint));
  }
}
