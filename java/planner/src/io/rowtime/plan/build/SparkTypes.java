package io.rowtime.plan.build;

import java.util.stream.Collectors;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.sql.type.SqlTypeName;

/** The types in which Spark has values, as its DDL writes them; the translator has the same in {@code plan/types.py}. */
final class SparkTypes {
  private static final int MAX_PRECISION = 38;
  private static final int MAX_TIME_PRECISION = 6;

  private SparkTypes() {}

  /** Returns for example {@code DECIMAL(10, 2)}, or {@code STRUCT<`A`: INT>}. */
  static String of(RelDataType type) {
    if (type.isStruct()) {
      return type.getFieldList().stream().map(field -> '`' + field.getName().replace("`", "``") + "`: " + of(field.getType()))
          .collect(Collectors.joining(", ", "STRUCT<", ">"));
    }
    SqlTypeName name = type.getSqlTypeName();
    if (SqlTypeName.INTERVAL_TYPES.contains(name)) {
      return SqlTypeName.DAY_INTERVAL_TYPES.contains(name) ? "INTERVAL DAY TO SECOND" : "INTERVAL YEAR TO MONTH";
    }
    return switch (name) {
      case INTEGER -> "INT";
      case REAL -> "FLOAT";
      case FLOAT -> "DOUBLE";
      case CHAR, VARCHAR, SYMBOL, ANY -> "STRING";
      case BINARY, VARBINARY -> "BINARY";
      case NULL -> "VOID";
      case DECIMAL -> {
        int precision = Math.min(type.getPrecision(), MAX_PRECISION);
        yield "DECIMAL(" + precision + ", " + Math.min(type.getScale(), precision) + ")";
      }
      case TIME -> "TIME(" + Math.min(type.getPrecision(), MAX_TIME_PRECISION) + ")";
      case ARRAY, MULTISET -> "ARRAY<" + of(type.getComponentType()) + ">";
      case MAP -> "MAP<" + of(type.getKeyType()) + ", " + of(type.getValueType()) + ">";
      default -> name.getName();
    };
  }
}
