package io.rowtime.operator.process;

import io.rowtime.operator.OutputBatch;
import io.rowtime.operator.Stage;
import io.rowtime.operator.spec.BoundClock;
import io.rowtime.operator.spec.ProcessSpec;
import io.rowtime.state.ChangedSlots;
import io.rowtime.state.DelayedRows;
import io.rowtime.state.KeyColumns;
import io.rowtime.state.Rows;
import io.rowtime.state.States;
import io.rowtime.state.values.Input;
import io.rowtime.state.values.Output;
import io.rowtime.state.values.Values;
import java.util.Arrays;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.types.StructType;

/**
 * Runs a function over a stream. Each partition processes its rows, and the timers between them, in order of time.
 * Output rows wait until the bound of the result has reached their ROWTIME, so that they are in order across all
 * partitions.
 *
 * <p>State contains the state of each partition, and the output rows that wait.
 */
final class ProcessStage implements Stage {
  private static final String OUTPUT = "output";

  private final UnsafeProjection key;
  private final BoundClock clock;
  private final long delay;
  private final ProcessColumns columns;
  private final ProcessColumns.Writer writer;
  private final Processor processor;
  private final OpenPartitions partitions;
  private final DelayedRows output = new DelayedRows();
  /** By slot: the rows that have arrived for it. */
  private int[][] arrivedAt = new int[64][];
  private int[] arrivals = new int[64];

  ProcessStage(ProcessSpec spec, StructType schema, ProcessColumns columns, Processor processor) {
    key = KeyColumns.of(spec.partition(), schema);
    clock = new BoundClock(spec.clock());
    delay = spec.delay();
    this.columns = columns;
    this.writer = columns.new Writer();
    this.processor = processor;
    partitions = new OpenPartitions(processor);
  }

  @Override public void declare(States to) {
    partitions.declare(to);
    to.blocks(OUTPUT);
  }

  @Override public void open(States to, Input from) {
    partitions.open(to, from);
    output.open(to.blocks(OUTPUT), from);
  }

  @Override public void attach(States to) {
    partitions.attach(to);
    output.attach(to.blocks(OUTPUT));
  }

  @Override public void save(Output to) {
    partitions.save(to);
    output.save(to);
  }

  @Override public OutputBatch process(Rows arrived, long watermark) {
    UnsafeRow row = arrived.view();
    int[] order = arrived.order();
    for (int i = 0; i < arrived.count(); i++) {
      int slot = partitions.keys().slot(key.apply(arrived.get(order[i], row)));
      partitions.touch(slot);
      add(slot, order[i]);
    }
    partitions.wake(watermark);
    Rows due = new Rows(columns.output().length());
    output.release(watermark, run -> add(due, run.row(columns.output().length())));
    Processor.Emitter out = (key, rowtime, values) -> {
      UnsafeRow made = writer.row(key, rowtime, values);
      long release = clock.reaches(rowtime + delay);
      if (release <= watermark) {
        add(due, made);
      } else {
        output.add(release, made);
      }
    };
    long bound = clock.at(watermark);
    ChangedSlots touched = partitions.touched();
    for (int i = 0; i < touched.count(); i++) {
      int slot = touched.slot(i);
      int count = slot < arrivals.length ? arrivals[slot] : 0;
      processor.process(partitions.get(slot), partitions.keys().key(slot), arrived, count == 0 ? null : arrivedAt[slot], count, bound, out);
      if (count > 0) {
        arrivals[slot] = 0;
        arrivedAt[slot] = null;
      }
    }
    processor.finish();
    partitions.write(clock::reaches);
    output.flush();
    return new OutputBatch(due, due.order(), due.count(), new Values[0]);
  }

  /** ROWTIME is the first column. */
  private static void add(Rows to, UnsafeRow row) {
    to.add(row, row.getLong(0), to.count());
  }

  private void add(int slot, int row) {
    if (slot >= arrivals.length) {
      arrivals = Arrays.copyOf(arrivals, slot * 2);
      arrivedAt = Arrays.copyOf(arrivedAt, slot * 2);
    }
    if (arrivedAt[slot] == null) {
      arrivedAt[slot] = new int[4];
    } else if (arrivals[slot] == arrivedAt[slot].length) {
      arrivedAt[slot] = Arrays.copyOf(arrivedAt[slot], arrivals[slot] * 2);
    }
    arrivedAt[slot][arrivals[slot]++] = row;
  }

  @Override public long due() {
    return Math.min(partitions.due(), output.due());
  }
}
