package io.rowtime.over;

import io.rowtime.state.FakeStates;
import java.util.Iterator;
import java.util.function.Supplier;
import org.apache.spark.sql.catalyst.InternalRow;

/** A bucket that is fed batch by batch, and begins anew from its states where a batch says so. */
final class Fed {
  final FakeStates states = new FakeStates();
  private final Supplier<Stages> stages;
  private Bucket bucket;

  Fed(Supplier<Stages> stages) {
    this.stages = stages;
  }

  /**
   * Takes the rows of a batch, and gives what comes out.
   *
   * @param clock in milliseconds, in the rows' own time
   */
  Iterator<InternalRow> process(Iterator<InternalRow> rows, long clock, boolean forgets) {
    if (bucket != null && !forgets) {
      bucket.attach(states);
    } else {
      bucket = new Bucket(stages.get());
      bucket.open(states, states.header);
    }
    return bucket.process(rows, (clock + Item.SHIFT) * 1000);
  }

  void save() {
    states.header = bucket.save();
    states.written += states.header.length;
  }

  /** When it wants to be called without rows, in the rows' own milliseconds. */
  long due() {
    long due = bucket == null ? Stage.NEVER : bucket.due();
    return due == Stage.NEVER ? due : Math.floorDiv(due + 999, 1000L) - Item.SHIFT;
  }
}
