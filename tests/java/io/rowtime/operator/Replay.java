package io.rowtime.operator;

import static org.junit.Assert.assertEquals;

import java.util.Iterator;
import java.util.List;
import java.util.Random;
import java.util.function.Function;
import org.apache.spark.sql.catalyst.InternalRow;

/** Feeds an operator batch by batch, drops its memory now and then, and compares its output after every batch with a model. */
public final class Replay {
  /** Adds output rows to what has been emitted; {@code what} describes the step. */
  public interface Taker<T> {
    void take(Iterator<InternalRow> from, T to, String what);
  }

  /**
   * Returns the expected output after these rows, at a clock in milliseconds; {@code newest} is the time of the latest
   * row.
   */
  public interface Model<T> {
    T at(List<Item> rows, long clock, long newest);
  }

  private Replay() {}

  /**
   * Feeds all rows, and advances the clock until nothing is due; returns the output. No state may be left.
   *
   * @param spec the parameters of the operator, for messages
   * @param feed the rows of a batch as they reach the operator
   * @param out where the output goes, empty
   */
  public static <T> T run(int seed, Random random, Object spec, FedOperator fed, List<Item> rows, long disorder,
      Function<List<Item>, Iterator<InternalRow>> feed, T out, Taker<T> taker, Model<T> model) {
    long clock = -Item.SHIFT;
    long newest = Long.MIN_VALUE;
    int next = 0;
    for (boolean ended = false; !ended;) {
      String what = "seed " + seed + ", row " + next + ", clock " + clock + " " + spec;
      int count = Math.min(rows.size() - next, random.nextInt(3) == 0 ? 0 : 1 + random.nextInt(40));
      List<Item> batch = rows.subList(next, next + count);
      next += count;
      taker.take(fed.process(feed.apply(batch), clock, random.nextBoolean()), out, what);
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
