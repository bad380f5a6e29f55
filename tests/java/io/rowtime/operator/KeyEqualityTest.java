package io.rowtime.operator;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import io.rowtime.state.KeyColumns;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.unsafe.types.UTF8String;
import org.junit.Test;

public class KeyEqualityTest {
  private static final StructType SCHEMA = new StructType().add("t", DataTypes.TimestampType).add("n", DataTypes.IntegerType)
      .add("b", DataTypes.BooleanType).add("other", DataTypes.LongType).add("text", DataTypes.StringType);

  @Test public void aKeyIsLikeAnotherIfItsColumnsAre() {
    Random random = new Random(1);
    UnsafeProjection binary = UnsafeProjection.create(SCHEMA);
    UnsafeProjection key = KeyColumns.of(List.of("t", "n", "b"), SCHEMA);
    KeyEquality repeats = new KeyEquality(new StructType(Arrays.copyOf(SCHEMA.fields(), 3)));
    byte[] latest = null;
    Object[] before = null;
    int like = 0;
    for (int i = 0; i < 5000; i++) {
      Object[] values = {one(random, 0L, 1L), one(random, 0, -1), one(random, false, true), random.nextLong(),
          UTF8String.fromString("x".repeat(random.nextInt(3)))};
      UnsafeRow row = binary.apply(new GenericInternalRow(values));
      if (latest != null) {
        boolean same = Arrays.equals(values, 0, 3, before, 0, 3);
        assertEquals(same, repeats.isLike(key.apply(row), latest));
        like += same ? 1 : 0;
      }
      latest = key.apply(row).getBytes().clone();
      before = values;
    }
    assertTrue(like > 50);
  }

  private static Object one(Random random, Object first, Object second) {
    return random.nextInt(3) == 0 ? null : random.nextBoolean() ? first : second;
  }

  @Test public void textIsNotLookedAt() {
    KeyEquality repeats = new KeyEquality(new StructType().add("text", DataTypes.StringType));
    UnsafeRow row = UnsafeProjection.create(new StructType().add("text", DataTypes.StringType))
        .apply(new GenericInternalRow(new Object[] {UTF8String.fromString("a")}));
    assertEquals(false, repeats.isLike(row, row.getBytes()));
  }
}
