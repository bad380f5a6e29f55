package io.rowtime.operator.filter;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import io.rowtime.operator.spec.TemporalFilterSpec;
import io.rowtime.state.FakeStates;
import io.rowtime.state.TaskOperator;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.junit.Test;

/** What is left of random rows as a random clock goes on, compared after each batch with a loop over all rows; with restarts anywhere. */
public class TemporalFilterTest {
  private static final StructType SCHEMA = new StructType().add("k", DataTypes.IntegerType).add("e", DataTypes.TimestampType)
      .add("l", DataTypes.TimestampType).add("m", DataTypes.TimestampType).add("n", DataTypes.LongType, false);

  private record Row(Integer k, List<Long> enters, List<Long> leaves) {
    boolean isThere(long clock) {
      return !enters.contains(null) && !leaves.contains(null) && enters.stream().allMatch(time -> time <= clock)
          && leaves.stream().allMatch(time -> time > clock);
    }
  }

  private record Change(Row row, long times) {}

  @Test public void rowsAreThereBetweenTheirTimes() {
    for (int seed = 0; seed < Integer.getInteger("cases", 500); seed++) {
      Random random = new Random(seed);
      boolean retracts = random.nextBoolean();
      List<String> enters = random.nextInt(3) == 0 ? List.of() : List.of("e");
      List<String> leaves = random.nextInt(4) == 0 && !enters.isEmpty() ? List.of() : random.nextBoolean() ? List.of("l") : List.of("l", "m");
      TemporalFilterSpec spec = new TemporalFilterSpec(List.of("k"), enters, leaves, retracts ? "n" : null);
      FakeStates states = new FakeStates();
      TaskOperator operator = TemporalFilterOperator.operator(spec, SCHEMA);
      operator.open(states, null);
      Map<Row, Long> rows = new HashMap<>();
      Map<Integer, Long> applied = new HashMap<>();
      long clock = 0;
      for (int batch = 0; batch < 12; batch++) {
        clock += random.nextInt(3) == 0 ? 0 : random.nextInt(6);
        List<Change> changes = new ArrayList<>();
        for (int i = random.nextInt(8); i > 0; i--) {
          changes.add(change(random, clock, enters.size(), leaves.size(), retracts, rows));
        }
        if (random.nextInt(3) == 0) {
          operator = TemporalFilterOperator.operator(spec, SCHEMA);
          operator.open(states, states.header);
        } else {
          operator.attach(states);
        }
        long now = clock;
        String what = "seed " + seed + ", batch " + batch;
        apply(operator.process(input(changes), now), 1 + enters.size() + leaves.size(), applied, what);
        states.header = operator.save();
        Map<Integer, Long> expected = new HashMap<>();
        rows.forEach((row, times) -> {
          if (times != 0 && row.isThere(now)) {
            expected.merge(row.k == null ? -1 : row.k, times, Long::sum);
          }
        });
        assertEquals(what, expected, applied);
        assertTrue(what + ": what is due has been done", operator.due() > clock);
      }
      // After all rows have left or entered, nothing is kept.
      apply(operator.process(input(List.of()), 1000), 1 + enters.size() + leaves.size(), applied, "the end");
      assertEquals("seed " + seed, TaskOperator.NEVER, operator.due());
      assertEquals("seed " + seed, 0, states.size());
    }
  }

  /** Returns a row that is added or, of those that are there, retracted. */
  private static Change change(Random random, long clock, int enters, int leaves, boolean retracts, Map<Row, Long> rows) {
    List<Row> there = rows.entrySet().stream().filter(each -> each.getValue() > 0).map(Map.Entry::getKey).toList();
    boolean gone = retracts && !there.isEmpty() && random.nextInt(3) == 0;
    Row row = gone ? there.get(random.nextInt(there.size())) : new Row(random.nextInt(5) == 0 ? null : (Integer) random.nextInt(2),
        times(random, clock, enters), times(random, clock, leaves));
    long times = gone ? -1 : retracts ? 1 + random.nextInt(2) : 1;
    rows.merge(row, times, Long::sum);
    return new Change(row, times);
  }

  private static List<Long> times(Random random, long clock, int count) {
    List<Long> times = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      times.add(random.nextInt(12) == 0 ? null : (Long) (clock - 3 + random.nextInt(12)));
    }
    return times;
  }

  private static Iterator<InternalRow> input(List<Change> changes) {
    UnsafeProjection binary = UnsafeProjection.create(SCHEMA);
    return changes.stream().<InternalRow>map(each -> binary.apply(new GenericInternalRow(new Object[] {each.row.k,
        each.row.enters.isEmpty() ? null : each.row.enters.get(0), each.row.leaves.isEmpty() ? null : each.row.leaves.get(0),
        each.row.leaves.size() < 2 ? null : each.row.leaves.get(1), each.times}))).iterator();
  }

  /** @param times where a row has how often it is added */
  private static void apply(Iterator<InternalRow> out, int times, Map<Integer, Long> to, String what) {
    while (out.hasNext()) {
      InternalRow row = out.next();
      assertTrue(what + ": something changes", row.getLong(times) != 0);
      to.merge(row.isNullAt(0) ? -1 : row.getInt(0), row.getLong(times), Long::sum);
    }
    to.values().removeIf(count -> count == 0);
  }
}
