package io.rowtime.operator;

import com.fasterxml.jackson.databind.JsonNode;
import io.rowtime.state.values.ValueType;
import io.rowtime.state.values.Values;
import java.math.RoundingMode;
import org.apache.spark.unsafe.types.UTF8String;

/** Constants of a specification as values. */
public final class Constants {
  private Constants() {}

  /** A column of this one value; null for NULL. */
  public static Values of(JsonNode constant, ValueType type) {
    if (constant.isNull()) {
      return null;
    }
    Values value = new Values(type, 1);
    if (type.isText()) {
      value.setObject(0, UTF8String.fromString(constant.asText()));
    } else if (type.isFloating()) {
      value.setLong(0, ValueType.ordered(constant.asDouble()));
    } else if (type.isDecimal()) {
      var unscaled = new java.math.BigDecimal(constant.asText()).setScale(type.scale(),
          RoundingMode.HALF_UP).unscaledValue();
      if (type.isObject()) {
        value.setObject(0, unscaled);
      } else {
        value.setLong(0, unscaled.longValueExact());
      }
    } else if (constant.isBoolean()) {
      value.setLong(0, constant.asBoolean() ? 1 : 0);
    } else if (constant.isIntegralNumber()) {
      value.setLong(0, constant.asLong());
    } else {
      throw new IllegalArgumentException("Not a constant of this column's type: " + constant);
    }
    return value;
  }
}
