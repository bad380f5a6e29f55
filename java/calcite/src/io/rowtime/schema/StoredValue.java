package io.rowtime.schema;

import io.delta.kernel.data.ArrayValue;
import io.delta.kernel.data.ColumnVector;
import io.delta.kernel.data.MapValue;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.calcite.avatica.util.ByteString;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeField;

/**
 * Reads values of one SQL type from a column of a log, in the form in which Calcite computes with them.
 *
 * <p>Delta has fewer types than SQL ({@code rowtime/types/columns.py}): times of day are stored as microseconds,
 * intervals as milliseconds or months.
 */
@FunctionalInterface
interface StoredValue {
  long MICROS = 1000;

  /** Returns the value in a row of a column, which is not NULL. */
  Object present(ColumnVector column, int row);

  /** Returns the value in a row of a column; null for NULL. */
  default Object at(ColumnVector column, int row) {
    return column.isNullAt(row) ? null : present(column, row);
  }

  /** Returns the reader of a type. */
  static StoredValue of(RelDataType type) {
    return switch (type.getSqlTypeName()) {
      case BOOLEAN -> ColumnVector::getBoolean;
      case TINYINT -> ColumnVector::getByte;
      case SMALLINT -> ColumnVector::getShort;
      case INTEGER, DATE, INTERVAL_YEAR, INTERVAL_YEAR_MONTH, INTERVAL_MONTH -> ColumnVector::getInt;
      case BIGINT, INTERVAL_DAY, INTERVAL_DAY_HOUR, INTERVAL_DAY_MINUTE, INTERVAL_DAY_SECOND, INTERVAL_HOUR, INTERVAL_HOUR_MINUTE,
          INTERVAL_HOUR_SECOND, INTERVAL_MINUTE, INTERVAL_MINUTE_SECOND, INTERVAL_SECOND -> ColumnVector::getLong;
      case REAL -> ColumnVector::getFloat;
      case FLOAT, DOUBLE -> ColumnVector::getDouble;
      case DECIMAL -> ColumnVector::getDecimal;
      case CHAR, VARCHAR -> ColumnVector::getString;
      case BINARY, VARBINARY -> (column, row) -> new ByteString(column.getBinary(row));
      case TIME -> (column, row) -> (int) (column.getLong(row) / MICROS);
      case TIMESTAMP -> (column, row) -> Math.floorDiv(column.getLong(row), MICROS);
      case ARRAY, MULTISET -> list(of(type.getComponentType()));
      case MAP -> map(of(type.getKeyType()), of(type.getValueType()));
      case ROW -> struct(type.getFieldList());
      default -> throw new IllegalStateException("A column cannot be of type " + type);
    };
  }

  private static StoredValue list(StoredValue element) {
    return (column, row) -> {
      ArrayValue array = column.getArray(row);
      return toList(element, array.getElements(), array.getSize());
    };
  }

  private static StoredValue map(StoredValue key, StoredValue value) {
    return (column, row) -> {
      MapValue map = column.getMap(row);
      Map<Object, Object> found = new LinkedHashMap<>();
      for (int i = 0; i < map.getSize(); i++) {
        found.put(key.at(map.getKeys(), i), value.at(map.getValues(), i));
      }
      return found;
    };
  }

  private static StoredValue struct(List<RelDataTypeField> fields) {
    StoredValue[] parts = fields.stream().map(field -> of(field.getType())).toArray(StoredValue[]::new);
    return (column, row) -> {
      Object[] found = new Object[parts.length];
      for (int i = 0; i < parts.length; i++) {
        found[i] = parts[i].at(column.getChild(i), row);
      }
      return found;
    };
  }

  private static List<Object> toList(StoredValue element, ColumnVector elements, int size) {
    List<Object> found = new ArrayList<>(size);
    for (int i = 0; i < size; i++) {
      found.add(element.at(elements, i));
    }
    return found;
  }
}
