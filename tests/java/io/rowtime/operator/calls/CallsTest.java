package io.rowtime.operator.calls;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertTrue;

import io.rowtime.aggregate.AggregateFunction;
import io.rowtime.operator.spec.Call;
import io.rowtime.state.values.Chunk;
import io.rowtime.state.values.Input;
import io.rowtime.state.values.Output;
import io.rowtime.state.values.ValueType;
import io.rowtime.state.values.Values;
import java.util.List;
import org.apache.spark.sql.types.DataTypes;
import org.junit.Test;

/** The properties in the table of aggregate functions are those of the operators' aggregates. */
public class CallsTest {
  private static final ValueType LONG = ValueType.of(DataTypes.LongType);
  private static final int ROWS = 1000;
  private static final int SMALL = 64;

  private static final List<String> FUNCTIONS = List.of("COUNT", "SUM", "MIN", "MAX", "FIRST_VALUE", "LAST_VALUE", "NTH_VALUE",
      "ANY_VALUE", "VAR_POP", "VAR_SAMP", "STDDEV_POP", "STDDEV_SAMP", "MEDIAN", "PERCENTILE_CONT", "PERCENTILE_DISC", "COLLECT", "LISTAGG");

  private static Aggregate aggregate(String function, boolean removes) {
    Long number = function.equals("NTH_VALUE") ? (Long) 2L : null;
    Double fraction = function.startsWith("PERCENTILE") ? (Double) 0.5 : null;
    Call call = new Call("c", function, List.of("x"), number, fraction, function.equals("LISTAGG") ? "," : null, false, false, null, "bigint");
    boolean approximate = function.startsWith("VAR") || function.startsWith("STDDEV");
    return Calls.aggregate(call, 0, LONG, approximate ? ValueType.of(DataTypes.DoubleType) : LONG, removes);
  }

  private static Chunk rows() {
    Chunk rows = new Chunk(new ValueType[] {LONG}, ROWS);
    for (int i = 0; i < ROWS; i++) {
      rows.columns[0].setLong(rows.add(i, 0), i * 7919L % ROWS);
    }
    return rows;
  }

  /** Returns how much is written for a slot, or -1 if saving is not supported. */
  private static int saved(Aggregate aggregate) {
    Output to = new Output();
    try {
      aggregate.save(0, to);
    } catch (UnsupportedOperationException e) {
      return -1;
    }
    return to.toBytes().length;
  }

  @Test public void theTableHasEveryFunctionOfTheOperators() {
    FUNCTIONS.forEach(function -> assertEquals(function, function, AggregateFunction.named(function).operator()));
  }

  /** If rows never leave, functions that keep a total write little; the others cannot be saved. */
  @Test public void aTotalIsSmall() {
    for (String function : FUNCTIONS) {
      Aggregate aggregate = aggregate(function, false);
      Chunk rows = rows();
      aggregate.grow(1);
      for (int i = 0; i < ROWS; i++) {
        aggregate.add(0, rows, i);
      }
      int size = saved(aggregate);
      boolean total = AggregateFunction.named(function).keeps() == AggregateFunction.Keeps.TOTAL;
      assertEquals(function, total, Calls.isSmall(function, false));
      assertEquals(function + " writes " + size, total, size >= 0 && size <= SMALL);
    }
  }

  /** If the first rows leave again, only removable functions still need no more than their total. */
  @Test public void whatIsRemovableTakesRowsBackFromItsTotal() {
    for (String function : FUNCTIONS) {
      AggregateFunction known = AggregateFunction.named(function);
      if (known.keeps() != AggregateFunction.Keeps.TOTAL) {
        assertTrue(function + " keeps all values, from which any can be taken", known.removable());
        continue;
      }
      Aggregate aggregate = aggregate(function, true);
      Chunk rows = rows();
      aggregate.grow(1);
      for (int i = 0; i < ROWS; i++) {
        aggregate.add(0, rows, i);
      }
      for (int i = 0; i < ROWS / 10; i++) {
        aggregate.remove(0, rows, i);
      }
      Output to = new Output();
      int size = saved(aggregate);
      assertEquals(function + " writes " + size, known.removable(), size >= 0 && size <= SMALL);
      if (known.removable()) {
        aggregate.save(0, to);
        Aggregate loaded = aggregate(function, true);
        loaded.grow(1);
        loaded.load(0, new Input(to.toBytes()));
        Values results = new Values(function.startsWith("VAR") || function.startsWith("STDDEV") ? ValueType.of(DataTypes.DoubleType) : LONG, 2);
        for (int i = ROWS / 10; i < ROWS / 2; i++) {
          aggregate.remove(0, rows, i);
          loaded.remove(0, rows, i);
        }
        aggregate.result(0, rows, ROWS - 1, results, 0);
        loaded.result(0, rows, ROWS - 1, results, 1);
        assertEquals(function, results.getLong(0), results.getLong(1));
      }
    }
  }
}
