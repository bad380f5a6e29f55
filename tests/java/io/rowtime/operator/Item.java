package io.rowtime.operator;

import io.rowtime.operator.spec.BoundClock;
import java.math.BigDecimal;
import java.util.List;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.Decimal;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.unsafe.types.UTF8String;

/** A row of the tests; time in milliseconds. */
public record Item(int id, Integer key, String text, long time, long seq, Long closes, Object[] values) {
  /** Names of the columns that functions may read, in the order of {@code values}. */
  public static final String[] COLUMNS = {"i", "l", "d", "f", "dec", "big", "s", "ok"};

  public static final StructType SCHEMA = new StructType().add("id", DataTypes.IntegerType).add("k", DataTypes.IntegerType)
      .add("g", DataTypes.StringType).add("t", DataTypes.TimestampType, false)
      .add("seq", DataTypes.LongType, false).add("closes", DataTypes.TimestampType)
      .add("i", DataTypes.IntegerType).add("l", DataTypes.LongType).add("d", DataTypes.DoubleType)
      .add("f", DataTypes.FloatType).add("dec", DataTypes.createDecimalType(8, 2))
      .add("big", DataTypes.createDecimalType(30, 4)).add("s", DataTypes.StringType).add("ok", DataTypes.BooleanType);

  /** The watermark has another domain than ROWTIME. */
  public static final long SHIFT = 1_000_000;

  /** The function from the watermark to ROWTIME. */
  public static final List<BoundClock.ClockStep> CLOCK = List.of(BoundClock.ClockStep.of(BoundClock.Function.SHIFT, -SHIFT * 1000, 0));

  public Object value(String column) {
    for (int i = 0; i < COLUMNS.length; i++) {
      if (COLUMNS[i].equals(column)) {
        return values[i];
      }
    }
    return switch (column) {
      case "t" -> time * 1000;
      case "id" -> id;
      default -> throw new AssertionError(column);
    };
  }

  public InternalRow row() {
    Object[] row = new Object[SCHEMA.length()];
    row[0] = id;
    row[1] = key;
    row[2] = text == null ? null : UTF8String.fromString(text);
    row[3] = time * 1000;
    row[4] = seq;
    row[5] = closes == null ? null : (closes + SHIFT) * 1000;
    for (int i = 0; i < values.length; i++) {
      row[6 + i] = internal(values[i], SCHEMA.apply(6 + i).dataType());
    }
    return new GenericInternalRow(row);
  }

  private static Object internal(Object value, DataType type) {
    return value instanceof BigDecimal decimal
        ? Decimal.apply(decimal, ((org.apache.spark.sql.types.DecimalType) type).precision(), decimal.scale())
        : value instanceof String string ? UTF8String.fromString(string) : value;
  }
}
