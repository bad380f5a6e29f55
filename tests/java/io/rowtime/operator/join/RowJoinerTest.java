package io.rowtime.operator.join;

import static org.junit.Assert.assertArrayEquals;
import static org.junit.Assert.assertEquals;

import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.Decimal;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.unsafe.types.UTF8String;
import org.junit.Test;

/** Joined rows have the bytes that Spark writes for the same columns. */
public class RowJoinerTest {
  private static final List<DataType> TYPES = List.of(DataTypes.IntegerType, DataTypes.LongType, DataTypes.BooleanType,
      DataTypes.StringType, DataTypes.BinaryType, DataTypes.createDecimalType(10, 2), DataTypes.createDecimalType(30, 2));

  @Test public void testRows() {
    for (int seed = 0; seed < Integer.getInteger("cases", 300); seed++) {
      check(new Random(seed));
    }
  }

  private static void check(Random random) {
    // Null bits take one word for 64 columns.
    int most = random.nextInt(4) == 0 ? 140 : 9;
    StructType left = columns(random, "l", random.nextInt(most));
    StructType right = columns(random, "r", random.nextInt(most));
    UnsafeProjection written = UnsafeProjection.create(PackedInputs.joinedSchema(left, right).add("t", DataTypes.TimestampType));
    UnsafeProjection leftBytes = UnsafeProjection.create(left);
    UnsafeProjection rightBytes = UnsafeProjection.create(right);
    RowJoiner joiner = new RowJoiner(left, right);
    for (int i = 0; i < 20; i++) {
      Object[] lefts = random.nextInt(5) == 0 ? null : values(random, left);
      Object[] rights = random.nextInt(5) == 0 ? null : values(random, right);
      long time = random.nextLong();
      Object[] expected = IntStream.range(0, left.length() + right.length() + 1).mapToObj(column ->
          column < left.length() ? lefts == null ? null : lefts[column]
              : column == left.length() + right.length() ? time : rights == null ? null : rights[column - left.length()]).toArray();
      UnsafeRow joined = joiner.join(row(leftBytes, lefts), row(rightBytes, rights), time);
      String what = left + " " + right;
      // Spark leaves room for a DECIMAL of many digits that is NULL, so the bytes of such rows may differ.
      UnsafeRow bytes = written.apply(joined).copy();
      assertArrayEquals(what, written.apply(new GenericInternalRow(expected)).getBytes(), bytes.getBytes());
      assertEquals(what, 0, joined.getSizeInBytes() % 8);
    }
  }

  private static UnsafeRow row(UnsafeProjection bytes, Object[] values) {
    return values == null ? null : bytes.apply(new GenericInternalRow(values)).copy();
  }

  private static StructType columns(Random random, String name, int count) {
    StructType columns = new StructType();
    for (int i = 0; i < count; i++) {
      columns = columns.add(name + i, TYPES.get(random.nextInt(TYPES.size())));
    }
    return columns;
  }

  private static Object[] values(Random random, StructType columns) {
    return IntStream.range(0, columns.length()).mapToObj(i -> value(random, columns.apply(i).dataType())).toArray();
  }

  private static Object value(Random random, DataType type) {
    if (random.nextInt(4) == 0) {
      return null;
    }
    if (type == DataTypes.IntegerType) {
      return random.nextInt();
    }
    if (type == DataTypes.LongType) {
      return random.nextLong();
    }
    if (type == DataTypes.BooleanType) {
      return random.nextBoolean();
    }
    if (type == DataTypes.StringType) {
      return UTF8String.fromString("text ".repeat(random.nextInt(5)));
    }
    if (type == DataTypes.BinaryType) {
      byte[] bytes = new byte[random.nextInt(20)];
      random.nextBytes(bytes);
      return bytes;
    }
    int digits = type.equals(DataTypes.createDecimalType(30, 2)) ? 30 : 10;
    return Decimal.apply(random.nextInt(), digits, 2);
  }
}
