package io.rowtime.over;

import io.rowtime.state.ReorderBuffer;
import io.rowtime.state.Rows;
import io.rowtime.state.States;
import io.rowtime.state.TaskOperator;
import io.rowtime.state.values.Input;
import io.rowtime.state.values.Output;
import io.rowtime.state.values.Values;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.JoinedRow;
import org.apache.spark.sql.catalyst.expressions.SpecificInternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.StructType;
import scala.jdk.javaapi.CollectionConverters;

/**
 * Some of the partition values, all in one: their rows go through the stages, one after the other. What is in memory
 * can be thrown away after any batch, and made again from the state.
 */
final class Bucket implements TaskOperator {
  private static final long LAYOUT = 1;

  /**
   * Makes buckets.
   *
   * @param spec as {@link Spec#parse} reads it
   * @param input the columns of the rows that it is given
   */
  record Factory(String spec, StructType input) implements TaskOperator.Factory {
    @Override public TaskOperator create() {
      return new Bucket(new Stages(Spec.parse(spec), input));
    }
  }

  private final Stages stages;
  private final ReorderBuffer intake;

  Bucket(Stages stages) {
    this.stages = stages;
    this.intake = stages.intake();
  }

  @Override public void declare(States states) {
    stages.declare(states);
  }

  @Override public void open(States states, byte[] saved) {
    Input from = saved == null ? null : new Input(saved);
    if (from != null && from.number() != LAYOUT) {
      throw new IllegalStateException("State of another version of rowtime");
    }
    intake.open(states.blocks("intake"), from);
    for (int i = 0; i < stages.size(); i++) {
      stages.get(i).open(stages.states(states, i), from);
    }
  }

  @Override public void attach(States states) {
    intake.attach(states.blocks("intake"));
    for (int i = 0; i < stages.size(); i++) {
      stages.get(i).attach(stages.states(states, i));
    }
  }

  @Override public byte[] save() {
    Output to = new Output();
    to.number(LAYOUT);
    intake.save(to);
    for (int i = 0; i < stages.size(); i++) {
      stages.get(i).save(to);
    }
    return to.toBytes();
  }

  @Override public long due() {
    long due = intake.due();
    for (int i = 0; i < stages.size(); i++) {
      due = Math.min(due, stages.get(i).due());
    }
    return due;
  }

  @Override public Iterator<InternalRow> process(Iterator<InternalRow> input, long clock) {
    Rows rows = intake.take(input, clock);
    long certain = stages.byWatermark() ? clock : intake.clock(clock);
    int last = stages.size() - 1;
    for (int i = 0; i < last; i++) {
      rows = joined(stages.get(i).process(rows, certain), i);
    }
    Emission out = stages.get(last).process(rows, certain);
    return out.count() == 0 ? Collections.emptyIterator() : new Joined(out, stages.resultTypes(last));
  }

  /** The rows that a stage gives, as rows for the next one. */
  private Rows joined(Emission out, int stage) {
    StructType schema = stages.schema(stage + 1);
    Rows rows = new Rows(schema.length());
    UnsafeProjection binary = UnsafeProjection.create(schema);
    Joined each = new Joined(out, stages.resultTypes(stage));
    while (each.hasNext()) {
      UnsafeRow row = binary.apply(each.next());
      intake.add(rows, row, rows.count());
    }
    return rows;
  }

  /** Each row with its results behind it; valid until the next one is asked for. */
  private static final class Joined implements Iterator<InternalRow> {
    private final Emission out;
    private final UnsafeRow row;
    private final SpecificInternalRow results;
    private final JoinedRow joined;
    private int next;

    Joined(Emission out, List<DataType> types) {
      this.out = out;
      this.row = out.rows().view();
      this.results = new SpecificInternalRow(CollectionConverters.asScala(types).toSeq());
      this.joined = new JoinedRow(row, results);
    }

    @Override public boolean hasNext() {
      return next < out.count();
    }

    @Override public InternalRow next() {
      if (!hasNext()) {
        throw new NoSuchElementException();
      }
      out.rows().get(out.which()[next], row);
      Values[] columns = out.results();
      for (int i = 0; i < columns.length; i++) {
        columns[i].write(next, results, i);
      }
      next++;
      return joined;
    }
  }
}
