package io.rowtime.operator.changelog;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import io.rowtime.operator.spec.FromChangelogSpec;
import io.rowtime.state.EntriesOperator;
import io.rowtime.state.FakeStates;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
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

/** The rows that random changes give, compared after each batch with a loop over all changes so far; with restarts anywhere. */
public class FromChangelogTest {
  private static final StructType SCHEMA = new StructType().add("k", DataTypes.IntegerType).add("v", DataTypes.LongType).add("o", DataTypes.ByteType)
      .add("s", DataTypes.LongType, false);

  private record Change(Integer k, Long v, Byte op, long place) {
    List<Object> row() {
      return Arrays.asList(k, v);
    }

    int times() {
      return op == null || op > 3 ? 0 : op % 2 == 0 ? 1 : -1;
    }
  }

  private static EntriesOperator operator(boolean keyed, boolean ordered) {
    FromChangelogSpec spec = new FromChangelogSpec(List.of("k", "v"), "o", keyed ? List.of("k") : null, ordered ? "s" : null, null);
    return keyed ? new LatestRows(spec, SCHEMA) : new RowCounts(spec, SCHEMA);
  }

  @Test public void appliedChangesAreTheRowsAfterEveryBatch() {
    for (int seed = 0; seed < Integer.getInteger("cases", 500); seed++) {
      Random random = new Random(seed);
      boolean keyed = random.nextBoolean();
      boolean ordered = random.nextBoolean();
      FakeStates states = new FakeStates();
      EntriesOperator operator = operator(keyed, ordered);
      operator.open(states, null);
      List<Change> all = new ArrayList<>();
      Map<List<Object>, Long> applied = new HashMap<>();
      for (int batch = 0; batch < 8; batch++) {
        List<Change> changes = new ArrayList<>();
        for (int i = random.nextInt(12); i > 0; i--) {
          changes.add(new Change(random.nextInt(6) == 0 ? null : (Integer) random.nextInt(3), random.nextInt(5) == 0 ? null : (Long) (long) random.nextInt(3),
              random.nextInt(9) == 0 ? null : (Byte) (byte) random.nextInt(5), all.size() + changes.size()));
        }
        all.addAll(changes);
        if (ordered || !keyed) {
          Collections.shuffle(changes, random);
        }
        if (random.nextInt(3) == 0) {
          operator = operator(keyed, ordered);
          operator.open(states, states.header);
        } else {
          operator.attach(states);
        }
        String what = "seed " + seed + ", batch " + batch;
        apply(operator.process(input(changes), 0), applied, what);
        states.header = operator.save();
        assertEquals(what, keyed ? latest(all) : counts(all), applied);
      }
    }
  }

  private static Iterator<InternalRow> input(List<Change> changes) {
    UnsafeProjection binary = UnsafeProjection.create(SCHEMA);
    return changes.stream().<InternalRow>map(each -> binary.apply(new GenericInternalRow(new Object[] {each.k, each.v, each.op, each.place}))).iterator();
  }

  private static void apply(Iterator<InternalRow> out, Map<List<Object>, Long> to, String what) {
    Map<List<Object>, Long> said = new HashMap<>();
    while (out.hasNext()) {
      InternalRow row = out.next();
      List<Object> values = Arrays.asList(row.isNullAt(0) ? null : (Object) row.getInt(0), row.isNullAt(1) ? null : (Object) row.getLong(1));
      assertEquals(what + ": each row is changed once", null, said.put(values, row.getLong(2)));
      assertTrue(what + ": " + values + " is there", to.merge(values, row.getLong(2), Long::sum) >= 0);
      to.values().removeIf(count -> count == 0);
    }
    assertTrue(what + ": something changes", said.values().stream().noneMatch(times -> times == 0));
  }

  private static Map<List<Object>, Long> counts(List<Change> all) {
    Map<List<Object>, Long> counts = new HashMap<>();
    all.forEach(each -> counts.merge(each.row(), (long) each.times(), Long::sum));
    counts.values().removeIf(count -> count <= 0);
    return counts;
  }

  private static Map<List<Object>, Long> latest(List<Change> all) {
    Map<Integer, List<Object>> rows = new HashMap<>();
    all.stream().filter(each -> each.times() != 0).forEach(each -> rows.put(each.k, each.times() > 0 ? each.row() : null));
    Map<List<Object>, Long> found = new HashMap<>();
    rows.values().stream().filter(row -> row != null).forEach(row -> found.put(row, 1L));
    return found;
  }

  /** What is gone leaves nothing in the state. */
  @Test public void stateHasOnlyWhatIsThere() {
    for (boolean keyed : new boolean[] {true, false}) {
      FakeStates states = new FakeStates();
      EntriesOperator operator = operator(keyed, false);
      operator.open(states, null);
      operator.process(input(List.of(new Change(1, 5L, (byte) 0, 0), new Change(2, 5L, (byte) 0, 1))), 0);
      operator.process(input(List.of(new Change(1, 5L, (byte) 3, 2))), 0);
      assertEquals(1, states.size());
    }
  }
}
