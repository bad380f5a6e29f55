package io.rowtime.plan.rewrite;

import io.rowtime.diagnostic.DiagnosticException;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeField;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.sql.type.SqlTypeUtil;

/** Converts the values that SEARCH_KEY looks up to the types of the columns with which they are compared. */
final class SearchKeyTypes {
  private SearchKeyTypes() {}

  /**
   * Returns the value in a type that is comparable with the column. A value out of the range of the column's type
   * becomes NULL, which matches nothing, as no row can have it.
   */
  static RexNode fit(RexNode value, RelDataTypeField column, RexBuilder rex, SqlParserPos place) {
    RelDataType from = value.getType();
    RelDataType to = column.getType();
    if (from.getSqlTypeName() == SqlTypeName.NULL) {
      return cast(value, to, rex, false);
    }
    if (SqlTypeUtil.isCharacter(from) && SqlTypeUtil.isCharacter(to)) {
      // No cast: a cast to a shorter type would truncate the value, and find other rows.
      return value;
    }
    if (SqlTypeUtil.isExactNumeric(from) && SqlTypeUtil.isExactNumeric(to) && from.getScale() <= to.getScale()) {
      boolean fits = SqlTypeUtil.isIntType(from) && SqlTypeUtil.isIntType(to) ? from.getPrecision() <= to.getPrecision()
          : wholeDigits(from) <= (SqlTypeUtil.isIntType(to) ? wholeDigits(to) - 1 : wholeDigits(to));
      return isSame(from, to) ? value : cast(value, to, rex, !fits);
    }
    boolean numbers = SqlTypeUtil.isNumeric(from) && SqlTypeUtil.isApproximateNumeric(to);
    boolean lossless = numbers && (SqlTypeUtil.isApproximateNumeric(from) ? isSame(from, to) || to.getSqlTypeName() != SqlTypeName.REAL
        : SqlTypeUtil.isIntType(from) && from.getPrecision() <= 10 && to.getSqlTypeName() != SqlTypeName.REAL);
    boolean times = from.getSqlTypeName() == SqlTypeName.DATE && to.getSqlTypeName() == SqlTypeName.TIMESTAMP;
    if (lossless || times) {
      return isSame(from, to) ? value : cast(value, to, rex, false);
    }
    boolean plain = SqlTypeUtil.isBoolean(to) || SqlTypeUtil.isDatetime(to) || SqlTypeUtil.isBinary(to);
    if (plain && (from.getSqlTypeName() == to.getSqlTypeName() || SqlTypeUtil.isBinary(from) && SqlTypeUtil.isBinary(to))) {
      return value;
    }
    boolean key = plain || SqlTypeUtil.isCharacter(to) || SqlTypeUtil.isNumeric(to);
    throw new DiagnosticException("RT0127", place, key
        ? "The column " + column.getName() + " is " + to + ", but the lookup value is " + from
        : "The column " + column.getName() + " is " + to + ", which cannot be the type of a key",
        key ? "write CAST(… AS " + to.getSqlTypeName() + ")" : "look up columns of numbers, characters, times, BOOLEAN or BINARY");
  }

  private static boolean isSame(RelDataType from, RelDataType to) {
    return from.getSqlTypeName() == to.getSqlTypeName() && from.getPrecision() == to.getPrecision() && from.getScale() == to.getScale();
  }

  /** Returns the maximum number of digits before the decimal point. */
  private static int wholeDigits(RelDataType type) {
    return SqlTypeUtil.isIntType(type) ? type.getPrecision() : type.getPrecision() - type.getScale();
  }

  private static RexNode cast(RexNode value, RelDataType to, RexBuilder rex, boolean safe) {
    boolean nullable = safe || value.getType().isNullable();
    return rex.makeAbstractCast(rex.getTypeFactory().createTypeWithNullability(to, nullable), value, safe);
  }
}
