package io.rowtime.operator.join;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import io.rowtime.operator.spec.UpdatingJoinSpec;
import io.rowtime.operator.spec.UpdatingJoinSpec.JoinType;
import io.rowtime.state.FakeStates;
import io.rowtime.state.TaskOperator;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.BoundReference;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.catalyst.expressions.LessThan;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.junit.After;
import org.junit.Test;

/**
 * Joins of rows that are added and retracted, compared with loops over all pairs after every batch: random rows, cuts, restarts, small
 * pages.
 */
public class UpdatingJoinTest {
  private static final UnsafeProjection KEY = UnsafeProjection.create(new DataType[] {DataTypes.IntegerType});
  private static final UnsafeProjection ROW = UnsafeProjection.create(new DataType[] {DataTypes.IntegerType, DataTypes.LongType});
  private static final UnsafeProjection PACKED = UnsafeProjection.create(new DataType[] {DataTypes.IntegerType, DataTypes.TimestampType,
      DataTypes.BinaryType, DataTypes.BinaryType, DataTypes.IntegerType});

  /** A row of an input, which is added or retracted this often. */
  private record Change(boolean left, Integer k, Long v, long n) {
    Change once() {
      return new Change(left, k, v, 0);
    }
  }

  @After public void pages() {
    RowBuckets.pageSize = 64;
    RowChunks.chunkSize = 8 << 10;
  }

  private static TaskOperator operator(JoinType type, boolean conditional, boolean onlyAdds) {
    UpdatingJoinSpec.Side side = new UpdatingJoinSpec.Side(List.of("k"), List.of("k", "v"), "n", null, null);
    UpdatingJoinSpec spec = new UpdatingJoinSpec(type, side, side, onlyAdds);
    StructType columns = new StructType().add("k", DataTypes.IntegerType).add("v", DataTypes.LongType);
    Expression condition = conditional ? new LessThan(new BoundReference(1, DataTypes.LongType, true), new BoundReference(3, DataTypes.LongType, true)) : null;
    return new UpdatingJoinOperator.Factory(spec, columns, spec.hasRight() ? columns : new StructType(), 2, condition).create();
  }

  @Test public void appliedChangesAreTheResultAfterEveryBatch() {
    for (int seed = 0; seed < Integer.getInteger("cases", 400); seed++) {
      Random random = new Random(seed);
      JoinType type = JoinType.values()[seed % JoinType.values().length];
      boolean conditional = random.nextBoolean();
      boolean retracts = random.nextInt(3) > 0;
      boolean onlyAdds = !retracts && (type == JoinType.INNER || type == JoinType.SEMI);
      RowBuckets.pageSize = 1 + random.nextInt(5);
      int keys = 1 + random.nextInt(4);
      int values = 1 + random.nextInt(20);
      RowChunks.chunkSize = 1 + random.nextInt(200);
      // An earlier build kept rows that are only added as others.
      boolean earlier = random.nextBoolean();
      FakeStates states = new FakeStates();
      TaskOperator operator = operator(type, conditional, onlyAdds && !earlier);
      operator.open(states, null);
      Map<Change, Long> rows = new HashMap<>();
      Map<List<Object>, Long> applied = new HashMap<>();
      for (int batch = 0; batch < 1 + random.nextInt(15); batch++) {
        List<Change> changes = changes(random, rows, retracts, random.nextInt(12), keys, values);
        changes.forEach(each -> add(rows, each.once(), each.n));
        if (random.nextInt(4) == 0) {
          operator = operator(type, conditional, onlyAdds);
          operator.open(states, states.header);
        } else {
          operator.attach(states);
        }
        String what = "seed " + seed + ", batch " + batch + ", " + type;
        Map<List<Object>, Long> net = net(operator.process(input(changes), 0), type);
        states.header = operator.save();
        net.forEach((row, n) -> add(applied, row, n));
        assertEquals(what, model(rows, type, conditional), applied);
      }
      if (onlyAdds) {
        continue;
      }
      List<Change> all = new ArrayList<>();
      rows.forEach((row, n) -> all.add(new Change(row.left, row.k, row.v, -n)));
      operator.attach(states);
      net(operator.process(input(all), 0), type).forEach((row, n) -> add(applied, row, n));
      assertEquals("seed " + seed + ": of no rows", Map.of(), applied);
      assertEquals("seed " + seed + ": nothing is kept of no rows", 0, states.size());
    }
  }

  private static <T> void add(Map<T, Long> to, T row, long n) {
    to.merge(row, n, Long::sum);
    to.values().removeIf(count -> count == 0);
  }

  /** Returns changes, in any order, after which no row has been retracted more often than added. */
  private static List<Change> changes(Random random, Map<Change, Long> before, boolean retracts, int count, int keys, int values) {
    List<Change> changes = new ArrayList<>();
    Map<Change, Long> there = new HashMap<>(before);
    for (int i = 0; i < count; i++) {
      List<Change> present = new ArrayList<>(there.keySet());
      boolean earlier = retracts && !present.isEmpty() && random.nextInt(5) > 1;
      Change row = earlier ? present.get(random.nextInt(present.size())) : new Change(random.nextBoolean(), random.nextInt(8) == 0 ? null
          : (Integer) random.nextInt(keys), random.nextInt(6) == 0 ? null : (Long) (long) random.nextInt(values), 0);
      long has = there.getOrDefault(row, 0L);
      long n = retracts && has > 0 && random.nextInt(4) > 0 ? -1 - random.nextInt((int) has) : retracts ? 1 + random.nextInt(3) : 1;
      add(there, row, n);
      changes.add(new Change(row.left, row.k, row.v, n));
    }
    Collections.shuffle(changes, random);
    return changes;
  }

  /** Returns the rows as they come from the shuffle. */
  private static Iterator<InternalRow> input(List<Change> changes) {
    return changes.stream().<InternalRow>map(each -> {
      byte[] key = each.k == null ? null : KEY.apply(new GenericInternalRow(new Object[] {each.k})).getBytes();
      byte[] row = ROW.apply(new GenericInternalRow(new Object[] {each.k, each.v})).getBytes();
      return PACKED.apply(new GenericInternalRow(new Object[] {each.left ? 0 : 1, each.n, key, row, 0})).copy();
    }).iterator();
  }

  /** Returns what a batch changes; each row is told once. */
  private static Map<List<Object>, Long> net(Iterator<InternalRow> out, JoinType type) {
    int width = type == JoinType.SEMI || type == JoinType.ANTI ? 2 : 4;
    Map<List<Object>, Long> net = new HashMap<>();
    while (out.hasNext()) {
      UnsafeRow row = (UnsafeRow) out.next();
      List<Object> values = new ArrayList<>();
      for (int i = 0; i < width; i++) {
        values.add(row.isNullAt(i) ? null : i % 2 == 0 ? (Object) row.getInt(i) : (Object) row.getLong(i));
      }
      assertTrue(row.getLong(width) != 0);
      add(net, values, row.getLong(width));
    }
    return net;
  }

  private static Map<List<Object>, Long> model(Map<Change, Long> rows, JoinType type, boolean conditional) {
    Map<List<Object>, Long> result = new HashMap<>();
    boolean pairs = type != JoinType.SEMI && type != JoinType.ANTI;
    boolean lefts = type == JoinType.LEFT || type == JoinType.FULL;
    boolean rights = type == JoinType.RIGHT || type == JoinType.FULL;
    rows.forEach((row, n) -> {
      long matches = 0;
      for (Map.Entry<Change, Long> other : rows.entrySet()) {
        Change left = row.left ? row : other.getKey();
        Change right = row.left ? other.getKey() : row;
        if (other.getKey().left != row.left && row.k != null && row.k.equals(other.getKey().k)
            && (!conditional || left.v != null && right.v != null && left.v < right.v)) {
          matches++;
          if (pairs && row.left) {
            add(result, Arrays.asList(left.k, left.v, right.k, right.v), n * other.getValue());
          }
        }
      }
      if (!pairs && row.left && (matches > 0) == (type == JoinType.SEMI)) {
        add(result, Arrays.asList(row.k, row.v), n);
      } else if (pairs && matches == 0 && (row.left ? lefts : rights)) {
        add(result, row.left ? Arrays.asList(row.k, row.v, null, null) : Arrays.asList(null, null, row.k, row.v), n);
      }
    });
    return result;
  }

  /** A row of a key with many rows on its own side is added, or retracted, in its page. */
  @Test public void aChangeReadsAndWritesThePageOfItsRow() {
    for (JoinType type : JoinType.values()) {
      FakeStates states = new FakeStates();
      TaskOperator operator = operator(type, false, false);
      operator.open(states, null);
      operator.process(input(IntStream.range(0, 50_000).mapToObj(i -> new Change(false, 1, (long) i, 1)).toList()), 0);
      operator.process(input(List.of(new Change(true, 1, 1L, 1))), 0);
      states.header = operator.save();
      long filled = states.bytes();
      long before = states.read + states.written;
      operator.attach(states);
      operator.process(input(List.of(new Change(false, 1, 25_000L, -1), new Change(false, 1, 60_000L, 1))), 0);
      long touched = states.read + states.written - before;
      assertTrue(type + ": " + touched + " of " + filled, touched < filled / 50);
    }
  }
}
