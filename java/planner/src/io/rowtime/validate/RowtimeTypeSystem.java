package io.rowtime.validate;

import java.math.RoundingMode;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.rel.type.RelDataTypeSystemImpl;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.sql.type.SqlTypeUtil;

/** Precisions and result types: standard SQL's rules within Spark's limits. */
public final class RowtimeTypeSystem extends RelDataTypeSystemImpl {
  public static final RowtimeTypeSystem INSTANCE = new RowtimeTypeSystem();

  /** The precision of Spark's widest DECIMAL. */
  private static final int MAX_DECIMAL = 38;
  /** Times have millisecond precision. */
  private static final int MILLIS = 3;
  /** The minimum scale of an average of exact numbers. */
  private static final int MIN_AVG_SCALE = 6;

  private RowtimeTypeSystem() {}

  @Override public int getMaxPrecision(SqlTypeName typeName) {
    return typeName == SqlTypeName.DECIMAL ? MAX_DECIMAL : super.getMaxPrecision(typeName);
  }

  @Override public int getMaxScale(SqlTypeName typeName) {
    return typeName == SqlTypeName.DECIMAL ? MAX_DECIMAL : super.getMaxScale(typeName);
  }

  @Override public int getDefaultPrecision(SqlTypeName typeName) {
    return switch (typeName) {
      case TIMESTAMP, TIME -> MILLIS;
      default -> super.getDefaultPrecision(typeName);
    };
  }

  /**
   * CHAR types of different lengths have VARCHAR as their common type, so that CASE does not pad {@code 'unit'} to the
   * length of {@code 'units'}.
   */
  @Override public boolean shouldConvertRaggedUnionTypesToVarying() {
    return true;
  }

  /** Digits beyond the scale of a DECIMAL are rounded as in Spark; Calcite's default truncates them. */
  @Override public RoundingMode roundingMode() {
    return RoundingMode.HALF_UP;
  }

  /** SUM of integers is BIGINT, of DECIMAL(p, s) DECIMAL(38, s), of approximate numbers DOUBLE. */
  @Override public RelDataType deriveSumType(RelDataTypeFactory factory, RelDataType argument) {
    RelDataType sum = switch (argument.getSqlTypeName()) {
      case TINYINT, SMALLINT, INTEGER, BIGINT -> factory.createSqlType(SqlTypeName.BIGINT);
      case DECIMAL -> factory.createSqlType(SqlTypeName.DECIMAL, MAX_DECIMAL, argument.getScale());
      case REAL, FLOAT, DOUBLE -> factory.createSqlType(SqlTypeName.DOUBLE);
      default -> argument;
    };
    return factory.createTypeWithNullability(sum, argument.isNullable());
  }

  /** AVG of exact numbers is a DECIMAL with a scale of at least six (an INTEGER would lose the fraction). */
  @Override public RelDataType deriveAvgAggType(RelDataTypeFactory factory, RelDataType argument) {
    RelDataType average;
    if (SqlTypeUtil.isExactNumeric(argument)) {
      int scale = Math.min(MAX_DECIMAL, Math.max(MIN_AVG_SCALE, argument.getScale() + 4));
      int precision = Math.min(MAX_DECIMAL, argument.getPrecision() - argument.getScale() + scale);
      average = factory.createSqlType(SqlTypeName.DECIMAL, precision, scale);
    } else if (SqlTypeUtil.isApproximateNumeric(argument)) {
      average = factory.createSqlType(SqlTypeName.DOUBLE);
    } else {
      average = argument;
    }
    return factory.createTypeWithNullability(average, argument.isNullable());
  }

  /**
   * A covariance, or a sum of squares of a regression, is a DOUBLE as in Spark (for INTEGERs, Calcite's is an INTEGER).
   */
  @Override public RelDataType deriveCovarType(RelDataTypeFactory factory, RelDataType first, RelDataType second) {
    return factory.createTypeWithNullability(factory.createSqlType(SqlTypeName.DOUBLE), first.isNullable() || second.isNullable());
  }
}
