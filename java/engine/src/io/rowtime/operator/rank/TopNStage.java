package io.rowtime.operator.rank;

import io.rowtime.aggregate.RankFunction;
import io.rowtime.operator.OutputBatch;
import io.rowtime.operator.ProjectedColumns;
import io.rowtime.operator.Stage;
import io.rowtime.operator.spec.Order;
import io.rowtime.operator.spec.TopNSpec;
import io.rowtime.state.DelayedRows;
import io.rowtime.state.KeyColumns;
import io.rowtime.state.Rows;
import io.rowtime.state.States;
import io.rowtime.state.values.Input;
import io.rowtime.state.values.KeySlots;
import io.rowtime.state.values.Output;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntConsumer;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.types.StructType;

/**
 * Emits the first rows of each partition when it is complete, in order of ROWTIME and, within one ROWTIME and
 * partition, of their rank.
 *
 * <p>All rows that are among the first ones so far are in memory. State contains them in blocks by the time at which
 * they will be emitted. A batch appends those of its rows that are among the first ones at its end. Rows that these
 * have moved beyond the limit stay in state until they are more than half of it, and are then removed together.
 */
final class TopNStage implements Stage {
  /** The number of obsolete rows up to which state is not cleaned up; tests use less. */
  static int untidy = 1 << 10;

  private final UnsafeProjection key;
  private final ProjectedColumns columns;
  private final int fields;
  private final int limit;
  private final int time;
  private final int seq;
  private final int closes;
  private final List<RankFunction> ranks;
  private final RankedRows rows;
  private final KeySlots keys = new KeySlots();
  private final SlotTimers timers = new SlotTimers();
  private final DelayedRows state = new DelayedRows();
  /** The number of rows in state; and, by row number, the rows that are both there and in memory, and their number. */
  private long written;
  private long live;
  private boolean[] inState = new boolean[64];
  /** The rows that have been added since the last write to state; some may have been removed since. */
  private int[] fresh = new int[64];
  private int freshCount;

  /** @param schema the columns of the input rows, the last of which is the key of their shuffle partition */
  TopNStage(TopNSpec spec, StructType schema) {
    key = KeyColumns.of(spec.partition(), schema);
    columns = new ProjectedColumns(schema);
    fields = schema.length();
    limit = spec.limit();
    int[] order = spec.order().stream().map(Order::column).mapToInt(columns::index).toArray();
    time = schema.fieldIndex(spec.time());
    seq = spec.seq() == null ? -1 : schema.fieldIndex(spec.seq());
    closes = schema.fieldIndex(spec.closes());
    ranks = spec.ranks().stream().map(TopNSpec.Rank::function).toList();
    StructType compared = new StructType(Arrays.copyOf(schema.fields(), schema.length() - 1));
    rows = new RankedRows(spec, schema, compared, columns.types(), order, this::rowRemoved);
  }

  @Override public void declare(States states) {
    states.blocks("rows");
  }

  @Override public void open(States states, Input saved) {
    state.open(states.blocks("rows"), saved);
    if (saved == null) {
      return;
    }
    state.forEach(run -> {
      written++;
      add(run.row(fields), run.release());
    });
    takeFresh(number -> {});
  }

  @Override public void attach(States states) {
    state.attach(states.blocks("rows"));
  }

  @Override public void save(Output to) {
    state.save(to);
  }

  @Override public long due() {
    return timers.first(NEVER);
  }

  @Override public OutputBatch process(Rows arrived, long clock) {
    UnsafeRow row = arrived.view();
    for (int i = 0; i < arrived.count(); i++) {
      arrived.get(i, row);
      add(row, end(row));
    }
    RankedOutput out = new RankedOutput(rows, fields, ranks);
    timers.release(clock, slot -> {
      out.add(slot);
      rows.clear(slot);
      keys.free(slot);
    });
    write(clock);
    return out.emit();
  }

  private void add(UnsafeRow row, long end) {
    if (limit == 0) {
      return;
    }
    int slot = keys.slot(key.apply(row));
    if (keys.created()) {
      rows.grow(keys.slots());
      timers.add(slot, end);
    }
    columns.read(row, rows.columns(), rows.incoming());
    // In a row, NULL is stored as 0.
    if (!rows.mayEnter(slot, row.getLong(time), seq < 0 ? 0 : row.getLong(seq))) {
      return;
    }
    int number = rows.add(slot, row);
    if (number < 0) {
      return;
    }
    fresh(number);
  }

  /** Returns when the partition of a row is complete; for NULL, when the stream ends. */
  private long end(UnsafeRow row) {
    return row.isNullAt(closes) ? NEVER : row.getLong(closes);
  }

  private void rowRemoved(int number) {
    if (number < inState.length && inState[number]) {
      inState[number] = false;
      live--;
    }
  }

  /** Writes changes to the state. */
  private void write(long clock) {
    state.release(clock, run -> written--);
    if (written - live > Math.max(live, untidy)) {
      state.release(NEVER, run -> written--);
      Arrays.fill(inState, false);
      live = 0;
      freshCount = 0;
      for (int number = 0; number < rows.numbers(); number++) {
        fresh(number);
      }
    }
    UnsafeRow row = new UnsafeRow(fields);
    takeFresh(number -> {
      rows.get(number, row);
      state.add(end(row), row);
      written++;
    });
    state.flush();
  }

  private void fresh(int number) {
    if (freshCount == fresh.length) {
      fresh = Arrays.copyOf(fresh, freshCount * 2);
    }
    fresh[freshCount++] = number;
  }

  /** Passes on the rows that have been added and not removed, each once; they count as written to state after that. */
  private void takeFresh(IntConsumer each) {
    for (int i = 0; i < freshCount; i++) {
      int number = fresh[i];
      if (number >= inState.length) {
        inState = Arrays.copyOf(inState, number * 2);
      }
      if (rows.slot(number) >= 0 && !inState[number]) {
        inState[number] = true;
        live++;
        each.accept(number);
      }
    }
    freshCount = 0;
  }
}
