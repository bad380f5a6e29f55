package io.rowtime.operator.changelog;

import static org.junit.Assert.assertEquals;

import io.rowtime.operator.spec.ChangelogSpec;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.junit.Test;

/** What the rows of a batch change in all, by hand; in any order. */
public class NetChangesTest {
  private static final StructType SCHEMA = new StructType().add("k", DataTypes.IntegerType).add("v", DataTypes.LongType)
      .add("n", DataTypes.LongType, false);
  /** Of key 1, 5 becomes 7 by way of 6; key 2 is new; 3 is gone; 4 comes and goes; 5 stays; NULL is new. */
  private static final Object[][] CHANGES = {{1, 5L, -1L}, {1, 6L, 1L}, {1, 6L, -1L}, {1, 7L, 1L}, {2, 1L, 1L}, {3, 1L, -1L}, {4, 1L, 1L}, {4, 1L, -1L},
      {5, 1L, -1L}, {5, 1L, 1L}, {null, null, 1L}};

  private static List<String> changes(List<String> key, boolean upserts, List<Object[]> rows) {
    return changes(new ChangelogSpec(List.of("k", "v"), "n", key, true, upserts, false), rows);
  }

  private static List<String> changes(ChangelogSpec spec, List<Object[]> rows) {
    UnsafeProjection binary = UnsafeProjection.create(SCHEMA);
    NetChanges changes = new NetChanges(spec, SCHEMA);
    List<String> found = new ArrayList<>();
    changes.call(rows.stream().<InternalRow>map(each -> binary.apply(new GenericInternalRow(each))).iterator())
        .forEachRemaining(row -> found.add(row.getByte(2) + " " + (row.isNullAt(0) ? null : row.getInt(0)) + " " + (row.isNullAt(1) ? null : row.getLong(1))));
    return found;
  }

  private static void check(List<String> key, boolean upserts, Object[][] given, String... expected) {
    List<Object[]> rows = new ArrayList<>(List.of(given));
    for (int seed = 0; seed < 50; seed++) {
      assertEquals(List.of(expected), changes(key, upserts, rows).stream().sorted().toList());
      Collections.shuffle(rows, new Random(seed));
    }
  }

  @Test public void byKey() {
    check(List.of("k"), false, CHANGES, "0 2 1", "0 null null", "1 1 5", "2 1 7", "3 3 1");
  }

  @Test public void upserts() {
    check(List.of("k"), true, CHANGES, "0 2 1", "0 null null", "2 1 7", "3 3 1");
  }

  @Test public void wholeRows() {
    check(null, false, CHANGES, "0 1 7", "0 2 1", "0 null null", "3 1 5", "3 3 1");
  }

  @Test public void repeatedRows() {
    check(null, false, new Object[][] {{1, 1L, 2L}, {1, 1L, 1L}, {2, 1L, -3L}, {2, 1L, 1L}}, "0 1 1", "0 1 1", "0 1 1", "3 2 1", "3 2 1");
  }

  /** A row that replaces another comes right after it. */
  @Test public void replacedRowsAreNextToOneAnother() {
    assertEquals(List.of("1 1 1", "2 1 2", "1 2 1", "2 2 2"), changes(List.of("k"), false,
        List.of(new Object[] {1, 1L, -1L}, new Object[] {2, 1L, -1L}, new Object[] {2, 2L, 1L}, new Object[] {1, 2L, 1L})));
  }

  /** Key 1 goes on, and begins anew twice; 2 only goes on; 3 begins anew; 4 goes on with the same row; 5 does, and begins anew with it. */
  @Test public void keysThatBeginAnew() {
    List<Object[]> rows = List.of(new Object[] {1, 5L, -1L}, new Object[] {1, 6L, 1L}, new Object[] {2, 1L, -1L}, new Object[] {2, 2L, 1L},
        new Object[] {1, 5L, 1L}, new Object[] {3, 1L, 1L}, new Object[] {1, 7L, 1L}, new Object[] {4, 1L, -1L}, new Object[] {4, 1L, 1L},
        new Object[] {5, 1L, -1L}, new Object[] {5, 1L, 1L}, new Object[] {5, 1L, 1L});
    ChangelogSpec spec = new ChangelogSpec(List.of("k", "v"), "n", List.of("k"), true, false, true);
    assertEquals(List.of("1 1 5", "2 1 6", "0 1 5", "0 1 7", "1 2 1", "2 2 2", "0 3 1", "0 5 1"), changes(spec, rows));
    assertEquals(List.of("0 1 7", "2 2 2", "0 3 1", "0 5 1"), changes(new ChangelogSpec(List.of("k", "v"), "n", List.of("k"), true, true, true), rows));
  }

  @Test public void nothing() {
    check(List.of("k"), false, new Object[0][]);
  }
}
