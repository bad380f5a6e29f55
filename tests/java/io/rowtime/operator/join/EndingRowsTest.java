package io.rowtime.operator.join;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import io.rowtime.operator.spec.Arrivals;
import io.rowtime.operator.spec.UpdatingJoinSpec;
import io.rowtime.operator.spec.UpdatingJoinSpec.JoinType;
import io.rowtime.state.FakeStates;
import io.rowtime.state.TaskOperator;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.And;
import org.apache.spark.sql.catalyst.expressions.BoundReference;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.catalyst.expressions.LessThanOrEqual;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.junit.After;
import org.junit.Test;

/**
 * Joins whose condition says when a row has had its last match, {@code right.t BETWEEN left.t AND left.e}, compared with loops over all
 * pairs after every batch: rows in and out of order, bounds of the watermark and of rows, restarts. When both inputs have ended,
 * nothing is kept.
 */
public class EndingRowsTest {
  private static final long SECOND = 1_000_000;
  private static final UnsafeProjection KEY = UnsafeProjection.create(new DataType[] {DataTypes.IntegerType});
  private static final UnsafeProjection ROW = UnsafeProjection.create(new DataType[] {DataTypes.IntegerType, DataTypes.TimestampType, DataTypes.TimestampType});
  private static final UnsafeProjection PACKED = UnsafeProjection.create(new DataType[] {DataTypes.IntegerType, DataTypes.TimestampType,
      DataTypes.BinaryType, DataTypes.BinaryType, DataTypes.IntegerType});
  private static final StructType COLUMNS = new StructType().add("k", DataTypes.IntegerType).add("t", DataTypes.TimestampType).add("e", DataTypes.TimestampType);

  private record Timed(boolean left, int k, long t, Long e) {}

  @After public void pages() {
    RowBuckets.pageSize = 64;
    RowChunks.chunkSize = 8 << 10;
  }

  private static TaskOperator operator(JoinType type, Long disorder, boolean leftEnds, boolean rightEnds, boolean onlyAdds) {
    UpdatingJoinSpec.Progress progress = new UpdatingJoinSpec.Progress("t", List.of(), Arrivals.always(true, disorder, true));
    UpdatingJoinSpec spec = new UpdatingJoinSpec(type,
        new UpdatingJoinSpec.Side(List.of("k"), List.of("k", "t", "e"), "n", rightEnds ? progress : null, leftEnds ? new UpdatingJoinSpec.End("e", 0) : null),
        new UpdatingJoinSpec.Side(List.of("k"), List.of("k", "t", "e"), "n", leftEnds ? progress : null, rightEnds ? new UpdatingJoinSpec.End("t", 0) : null),
        onlyAdds && (type == JoinType.INNER || type == JoinType.SEMI));
    Expression condition = new And(new LessThanOrEqual(column(1), column(4)), new LessThanOrEqual(column(4), column(2)));
    return new UpdatingJoinOperator.Factory(spec, COLUMNS, spec.hasRight() ? COLUMNS : new StructType(), 3, condition).create();
  }

  private static Expression column(int index) {
    return new BoundReference(index, DataTypes.TimestampType, true);
  }

  @Test public void rowsThatMatchNothingMoreAreDroppedAndMissedByNone() {
    long kept = 0;
    for (int seed = 0; seed < Integer.getInteger("cases", 400); seed++) {
      Random random = new Random(seed);
      JoinType type = JoinType.values()[seed % JoinType.values().length];
      boolean leftEnds = random.nextInt(4) > 0;
      boolean rightEnds = !leftEnds || random.nextInt(4) > 0;
      long disorder = random.nextInt(3) * 4L * SECOND;
      Long told = random.nextBoolean() ? (Long) disorder : null;
      RowBuckets.pageSize = 1 + random.nextInt(4);
      RowChunks.chunkSize = 1 + random.nextInt(200);
      // An earlier build kept rows that are only added as others.
      boolean earlier = random.nextBoolean();
      int keys = 1 + random.nextInt(4);
      FakeStates states = new FakeStates();
      TaskOperator operator = operator(type, told, leftEnds, rightEnds, !earlier);
      operator.open(states, null);
      List<Timed> rows = new ArrayList<>();
      Map<List<Object>, Long> applied = new HashMap<>();
      long[] latest = {0, 0};
      long watermark = 0;
      for (int batch = 0; batch < 1 + random.nextInt(20); batch++) {
        List<Timed> arrived = new ArrayList<>();
        long[] reached = latest.clone();
        for (int i = random.nextInt(8); i > 0; i--) {
          boolean left = random.nextBoolean();
          int side = left ? 0 : 1;
          // Rows of a batch have no order; no row is further behind those of earlier batches than the disorder, or before the watermark.
          long t = Math.max(latest[side] - disorder, watermark) + random.nextInt(20) * SECOND / 2;
          reached[side] = Math.max(reached[side], t);
          arrived.add(new Timed(left, random.nextInt(keys), t, random.nextInt(9) == 0 ? null
              : (Long) (t + (random.nextInt(8) == 0 ? 500 : random.nextInt(12)) * SECOND)));
        }
        latest = reached;
        rows.addAll(arrived);
        if (random.nextInt(4) == 0) {
          operator = operator(type, told, leftEnds, rightEnds, true);
          operator.open(states, states.header);
        } else {
          operator.attach(states);
        }
        take(operator.process(input(arrived), watermark), type, applied);
        states.header = operator.save();
        assertEquals("seed " + seed + ", batch " + batch + ", " + type, model(rows, type), applied);
        watermark = Math.max(watermark, Math.min(latest[0], latest[1]) - disorder - random.nextInt(3) * SECOND);
      }
      kept += states.size();
      operator.attach(states);
      take(operator.process(input(List.of()), Long.MAX_VALUE), type, applied);
      assertEquals("seed " + seed + ", at the end, " + type, model(rows, type), applied);
      if (leftEnds && rightEnds) {
        assertEquals("seed " + seed + ": nothing is kept at the end", 0, states.size());
      }
    }
    assertTrue("rows wait for matches", kept > 0);
  }

  /** A stream of auctions and bids: what is kept does not grow with the rows. */
  @Test public void stateStaysAsSmallAsWhatCanStillMatch() {
    FakeStates states = new FakeStates();
    TaskOperator operator = operator(JoinType.INNER, 0L, true, true, true);
    operator.open(states, null);
    long most = 0;
    for (int batch = 0; batch < 200; batch++) {
      List<Timed> rows = new ArrayList<>();
      for (int i = 0; i < 50; i++) {
        long t = (batch * 50L + i) * SECOND / 10;
        rows.add(new Timed(true, batch * 50 + i, t, t + 20 * SECOND));
        rows.add(new Timed(false, Math.max(0, batch * 50 + i - 7), t, null));
      }
      operator.attach(states);
      take(operator.process(input(rows), 0), JoinType.INNER, new HashMap<>());
      states.header = operator.save();
      most = Math.max(most, states.size());
    }
    assertTrue(most + " entries", most < 600);
  }

  /** Years of auctions arrive before the first bid: their ends take few entries, and they are gone soon after they have passed. */
  @Test public void endsOfManyYearsAreFew() {
    FakeStates states = new FakeStates();
    TaskOperator operator = operator(JoinType.INNER, 0L, true, true, true);
    operator.open(states, null);
    List<Timed> auctions = new ArrayList<>();
    int count = 20_000;
    long hour = 3600 * SECOND;
    for (int i = 0; i < count; i++) {
      auctions.add(new Timed(true, i, i * hour, (i + 1) * hour));
    }
    take(operator.process(input(auctions), 0), JoinType.INNER, new HashMap<>());
    states.header = operator.save();
    assertTrue(states.size() + " entries", states.size() < count + 2000);
    operator.attach(states);
    // After half of the time, and a 32nd of it.
    take(operator.process(input(List.of(new Timed(false, 1, (count / 2 + count / 32) * hour, null))), 0), JoinType.INNER, new HashMap<>());
    states.header = operator.save();
    assertTrue(states.size() + " entries", states.size() < count / 2 + 2000);
  }

  private static Iterator<InternalRow> input(List<Timed> rows) {
    return rows.stream().<InternalRow>map(each -> PACKED.apply(new GenericInternalRow(new Object[] {each.left ? 0 : 1, 1L,
        KEY.apply(new GenericInternalRow(new Object[] {each.k})).getBytes(),
        ROW.apply(new GenericInternalRow(new Object[] {each.k, each.t, each.e})).getBytes(), 0})).copy()).iterator();
  }

  private static void take(Iterator<InternalRow> out, JoinType type, Map<List<Object>, Long> applied) {
    int width = type == JoinType.SEMI || type == JoinType.ANTI ? 3 : 6;
    while (out.hasNext()) {
      UnsafeRow row = (UnsafeRow) out.next();
      List<Object> values = new ArrayList<>();
      for (int i = 0; i < width; i++) {
        values.add(row.isNullAt(i) ? null : i % 3 == 0 ? (Object) row.getInt(i) : (Object) row.getLong(i));
      }
      add(applied, values, row.getLong(width));
    }
  }

  private static void add(Map<List<Object>, Long> to, List<Object> row, long n) {
    to.merge(row, n, Long::sum);
    to.values().removeIf(count -> count == 0);
  }

  private static Map<List<Object>, Long> model(List<Timed> rows, JoinType type) {
    Map<List<Object>, Long> result = new HashMap<>();
    boolean pairs = type != JoinType.SEMI && type != JoinType.ANTI;
    List<Object> none = Arrays.asList(null, null, null);
    for (Timed row : rows) {
      List<Timed> matches = rows.stream().filter(other -> row.left ? matches(row, other) : matches(other, row)).toList();
      if (pairs && row.left) {
        matches.forEach(other -> add(result, joined(values(row), values(other)), 1));
      }
      if (!pairs && row.left && matches.isEmpty() == (type == JoinType.ANTI)) {
        add(result, values(row), 1);
      } else if (matches.isEmpty() && row.left && (type == JoinType.LEFT || type == JoinType.FULL)) {
        add(result, joined(values(row), none), 1);
      } else if (matches.isEmpty() && !row.left && (type == JoinType.RIGHT || type == JoinType.FULL)) {
        add(result, joined(none, values(row)), 1);
      }
    }
    return result;
  }

  private static boolean matches(Timed left, Timed right) {
    return left.left && !right.left && left.k == right.k && right.t >= left.t && left.e != null && right.t <= left.e;
  }

  private static List<Object> values(Timed row) {
    return Arrays.asList(row.k, row.t, row.e);
  }

  private static List<Object> joined(List<Object> left, List<Object> right) {
    return Stream.concat(left.stream(), right.stream()).toList();
  }
}
