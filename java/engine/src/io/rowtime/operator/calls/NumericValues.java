package io.rowtime.operator.calls;

import io.rowtime.state.values.ValueType;
import io.rowtime.state.values.Values;
import java.math.BigDecimal;
import java.math.BigInteger;

/** Reads values of any numeric type as floating-point numbers. */
final class NumericValues {
  private NumericValues() {}

  static double of(Values values, int row) {
    ValueType type = values.type;
    if (type.isFloating()) {
      return ValueType.number(values.getLong(row));
    } else if (!type.isDecimal()) {
      return values.getLong(row);
    }
    return exactly(values, row).doubleValue();
  }

  static BigDecimal exactly(Values values, int row) {
    ValueType type = values.type;
    return type.isObject() ? new BigDecimal((BigInteger) values.getObject(row), type.scale())
        : BigDecimal.valueOf(values.getLong(row), type.scale());
  }
}
