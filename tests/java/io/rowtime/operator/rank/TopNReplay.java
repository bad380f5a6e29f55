package io.rowtime.operator.rank;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertTrue;

import io.rowtime.exchange.MapSideOutput;
import io.rowtime.operator.FedOperator;
import io.rowtime.operator.Item;
import io.rowtime.operator.Stage;
import io.rowtime.operator.StagePipeline;
import io.rowtime.operator.spec.TopNSpec;
import io.rowtime.state.FakeStates;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.BoundReference;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.catalyst.expressions.JoinedRow;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;

/** A Top-N that receives batches, each from several tasks, and loses its memory now and then. */
final class TopNReplay {
  private static final StructType INPUT = Item.SCHEMA.add("partition", DataTypes.IntegerType);

  private final TopNSpec spec;
  private final Random random;
  private final FedOperator fed;

  TopNReplay(TopNSpec spec, Random random) {
    this.spec = spec;
    this.random = random;
    fed = new FedOperator(() -> new StagePipeline(TopNOperator.stages(spec, spec.arrivals().ordered(), INPUT)));
  }

  FakeStates states() {
    return fed.states;
  }

  /** Feeds all rows, and advances the clock until nothing is due; returns the ranks of the output rows by id. */
  Map<Integer, List<Long>> run(List<Item> rows, long disorder) {
    Map<Integer, List<Long>> out = new TreeMap<>();
    long clock = -Item.SHIFT;
    long before = clock;
    long newest = Long.MIN_VALUE;
    int next = 0;
    while (next < rows.size() || fed.due() != Stage.NEVER) {
      int count = Math.min(rows.size() - next, random.nextInt(3) == 0 ? 0 : 1 + random.nextInt(40));
      List<Item> batch = rows.subList(next, next + count);
      next += count;
      for (Item row : batch) {
        newest = Math.max(newest, row.time());
      }
      Map<Integer, List<Long>> found = batch(batch, clock);
      long certain = spec.arrivals().ordered().early() ? Math.max(clock, newest - disorder) : clock;
      long due = before;
      found.forEach((id, ranks) -> {
        assertTrue("row " + id + " comes out at " + certain, rows.get(id).closes() <= certain);
        assertTrue("row " + id + " comes out at " + certain, spec.arrivals().ordered().early() || rows.get(id).closes() > due);
        assertNull("row " + id + " has come out before", out.put(id, ranks));
      });
      before = certain;
      clock = next < rows.size() ? next == 0 ? clock : Math.max(clock, newest - disorder - (random.nextBoolean() ? 0 : random.nextInt(40)))
          : fed.due() == Stage.NEVER ? clock : Math.max(clock + 1, fed.due());
    }
    assertEquals(fed.states.toString(), 0, fed.states.size());
    return out;
  }

  /**
   * Processes the rows of a batch, from tasks in any order, at a clock in milliseconds; the output must be in order of
   * ROWTIME.
   */
  Map<Integer, List<Long>> batch(List<Item> batch, long clock) {
    List<List<Item>> tasks = new ArrayList<>();
    for (int from = 0; from < batch.size();) {
      int to = Math.min(batch.size(), from + 1 + random.nextInt(60));
      tasks.add(batch.subList(from, to));
      from = to;
    }
    Collections.shuffle(tasks, random);
    List<InternalRow> sent = new ArrayList<>();
    for (List<Item> task : tasks) {
      boolean partial = random.nextInt(3) > 0;
      Iterator<InternalRow> rows = task.stream().map(Item::row).iterator();
      (partial ? first(rows) : rows).forEachRemaining(row -> sent.add(row.copy()));
    }
    Iterator<InternalRow> out = fed.process(sent.stream().<InternalRow>map(TopNReplay::keyed).iterator(), clock, random.nextBoolean());
    Map<Integer, List<Long>> found = new TreeMap<>();
    long time = Long.MIN_VALUE;
    while (out.hasNext()) {
      InternalRow row = out.next();
      int ranks = INPUT.length();
      assertNull(found.put(row.getInt(0), List.of(row.getLong(ranks), row.getLong(ranks + 1), row.getLong(ranks + 2))));
      assertTrue(row.getLong(3) >= time);
      time = row.getLong(3);
    }
    fed.save();
    return found;
  }

  private static InternalRow keyed(InternalRow row) {
    return new JoinedRow(row, new GenericInternalRow(new Object[] {0}));
  }

  /** Returns the rows that a task sends. */
  private Iterator<InternalRow> first(Iterator<InternalRow> rows) {
    PartialTopN partial = new PartialTopN("one", spec, Item.SCHEMA);
    List<Expression> columns = new ArrayList<>();
    for (StructField field : Item.SCHEMA.fields()) {
      columns.add(new BoundReference(columns.size(), field.dataType(), field.nullable()));
    }
    PartialTopNInput input = new PartialTopNInput(partial, partial.inputs(columns));
    Iterator<InternalRow> passing = new Iterator<>() {
      private InternalRow next;

      @Override public boolean hasNext() {
        while (next == null && rows.hasNext()) {
          InternalRow row = rows.next();
          next = (Boolean) input.eval(row) ? row : null;
        }
        return next != null;
      }

      @Override public InternalRow next() {
        InternalRow found = Objects.requireNonNull(hasNext() ? next : null);
        next = null;
        return found;
      }
    };
    return new MapSideOutput("one").call(passing);
  }
}
