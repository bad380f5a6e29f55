package io.rowtime.operator.group;

import static org.junit.Assert.assertEquals;

import io.rowtime.operator.FedOperator;
import io.rowtime.operator.Item;
import io.rowtime.operator.Stage;
import io.rowtime.operator.StagePipeline;
import io.rowtime.operator.Stages;
import io.rowtime.operator.spec.GroupingSpec;
import io.rowtime.operator.spec.OperatorSpec;
import io.rowtime.operator.spec.SessionWindowsSpec;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.types.StructType;

/**
 * Feeds groups batch by batch, drops their memory now and then, and compares the result after every batch with a model.
 */
final class GroupReplay {
  /** Adds the output rows to those by key, each of which may occur only once; {@code what} describes the step. */
  interface Taker {
    void take(Iterator<InternalRow> from, Map<String, List<Object>> to, String what);
  }

  /**
   * Returns the expected output after these rows, at a clock in milliseconds; {@code newest} is the time of the latest
   * row.
   */
  interface Model {
    Map<String, List<Object>> at(List<Item> rows, long clock, long newest);
  }

  /** Transforms the rows of a batch before they reach the operator, and has the columns that they have then. */
  interface Way {
    StructType schema();

    Iterator<InternalRow> rows(List<Item> batch);
  }

  private static final Way AS_THEY_ARE = new Way() {
    @Override public StructType schema() {
      return Item.SCHEMA;
    }

    @Override public Iterator<InternalRow> rows(List<Item> batch) {
      return batch.stream().map(Item::row).iterator();
    }
  };

  private GroupReplay() {}

  /** Feeds all rows, and advances the clock until nothing is due; returns the output. No state may be left. */
  static Map<String, List<Object>> run(int seed, Random random, GroupingSpec spec, List<Item> rows, long disorder, Taker taker,
      Model model) {
    return run(seed, random, spec, rows, disorder, AS_THEY_ARE, taker, model);
  }

  static Map<String, List<Object>> run(int seed, Random random, GroupingSpec spec, List<Item> rows, long disorder, Way way, Taker taker,
      Model model) {
    return run(seed, random, spec, () -> GroupStages.of(spec, spec.arrivals().ordered(), way.schema()), rows, disorder, way, taker, model);
  }

  /** Does the same for rows that are emitted with their windows. */
  static Map<String, List<Object>> run(int seed, Random random, SessionWindowsSpec spec, List<Item> rows, long disorder, Taker taker,
      Model model) {
    return run(seed, random, spec, () -> GroupStages.of(spec, spec.arrivals().ordered(), Item.SCHEMA), rows, disorder, AS_THEY_ARE, taker, model);
  }

  private static Map<String, List<Object>> run(int seed, Random random, OperatorSpec spec, Supplier<Stages> stages, List<Item> rows,
      long disorder, Way way, Taker taker, Model model) {
    FedOperator fed = new FedOperator(() -> new StagePipeline(stages.get()));
    Map<String, List<Object>> out = new TreeMap<>();
    long clock = -Item.SHIFT;
    long newest = Long.MIN_VALUE;
    int next = 0;
    for (boolean ended = false; !ended;) {
      String what = "seed " + seed + ", row " + next + ", clock " + clock + " " + spec;
      int count = Math.min(rows.size() - next, random.nextInt(3) == 0 ? 0 : 1 + random.nextInt(40));
      List<Item> batch = rows.subList(next, next + count);
      next += count;
      taker.take(fed.process(way.rows(batch), clock, random.nextBoolean()), out, what);
      fed.save();
      for (Item item : batch) {
        newest = Math.max(newest, item.time());
      }
      assertEquals(what, model.at(rows.subList(0, next), clock, newest), out);
      if (next < rows.size()) {
        clock = next == 0 ? clock : Math.max(clock, newest - disorder - (random.nextBoolean() ? 0 : random.nextInt(40)));
      } else if (fed.due() == Stage.NEVER) {
        ended = true;
      } else {
        // Like Spark: no step without rows before a timer is due, which is not before there is something to do.
        clock = Math.max(clock + 1, fed.due());
      }
    }
    assertEquals("seed " + seed + " " + fed.states, 0, fed.states.size());
    return out;
  }
}
