package io.rowtime.operator;

import io.rowtime.state.Rows;
import io.rowtime.state.States;
import io.rowtime.state.TaskOperator;
import io.rowtime.state.values.Input;
import io.rowtime.state.values.Layout;
import io.rowtime.state.values.Output;
import java.util.Collections;
import java.util.Iterator;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.types.StructType;

/**
 * An operator that passes rows through stages, one after the other. Each stage processes all partition values of a task
 * together.
 */
public final class StagePipeline implements TaskOperator {
  private static final long LAYOUT = 1;

  private final Stages stages;
  private final ReorderBuffer buffer;

  public StagePipeline(Stages stages) {
    this.stages = stages;
    this.buffer = stages.buffer();
  }

  @Override public void declare(States states) {
    stages.declare(states);
  }

  @Override public void open(States states, byte[] saved) {
    Input from = saved == null ? null : new Input(saved);
    if (from != null) {
      Layout.check(from.number(), LAYOUT);
    }
    buffer.open(states.blocks("reorder"), from);
    for (int i = 0; i < stages.size(); i++) {
      stages.get(i).open(stages.states(states, i), from);
    }
  }

  @Override public void attach(States states) {
    buffer.attach(states.blocks("reorder"));
    for (int i = 0; i < stages.size(); i++) {
      stages.get(i).attach(stages.states(states, i));
    }
  }

  @Override public byte[] save() {
    Output to = new Output();
    to.number(LAYOUT);
    buffer.save(to);
    for (int i = 0; i < stages.size(); i++) {
      stages.get(i).save(to);
    }
    return to.toBytes();
  }

  @Override public long due() {
    long due = buffer.due();
    for (int i = 0; i < stages.size(); i++) {
      due = Math.min(due, stages.get(i).due());
    }
    return due;
  }

  @Override public Iterator<InternalRow> process(Iterator<InternalRow> input, long clock) {
    Rows rows = buffer.take(input, clock);
    long watermark = stages.byWatermark() ? clock : buffer.watermark(clock);
    int last = stages.size() - 1;
    for (int i = 0; i < last; i++) {
      rows = joinResults(stages.get(i).process(rows, watermark), i);
    }
    OutputBatch out = stages.get(last).process(rows, watermark);
    return out.count() == 0 ? Collections.emptyIterator() : new OutputRows(out, stages.resultTypes(last));
  }

  /** Returns the output rows of a stage as input rows of the next one. */
  private Rows joinResults(OutputBatch out, int stage) {
    StructType schema = stages.schema(stage + 1);
    Rows rows = new Rows(schema.length());
    UnsafeProjection binary = UnsafeProjection.create(schema);
    OutputRows each = new OutputRows(out, stages.resultTypes(stage));
    while (each.hasNext()) {
      UnsafeRow row = binary.apply(each.next());
      buffer.add(rows, row, rows.count());
    }
    return rows;
  }
}
