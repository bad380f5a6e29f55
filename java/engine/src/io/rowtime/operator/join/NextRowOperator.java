package io.rowtime.operator.join;

import io.rowtime.exchange.Partitions;
import io.rowtime.operator.spec.TemporalJoinSpec;
import io.rowtime.state.States;
import io.rowtime.state.TaskOperator;
import io.rowtime.state.values.Input;
import io.rowtime.state.values.KeySlots;
import io.rowtime.state.values.Layout;
import io.rowtime.state.values.Output;
import java.util.Arrays;
import java.util.Iterator;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.types.StructType;

/**
 * Joins each left row with the next right row of its key: the earliest one from a given time on, up to a limit.
 *
 * <p>Left rows are processed in order of time, each once its right row is certain: no earlier one can arrive, nor another one of
 * the same time; or none can arrive before the limit. Right rows are kept until no left row can need them any more.
 */
final class NextRowOperator implements TaskOperator {
  private static final long LAYOUT = 1;

  /**
   * @param left the columns of left rows
   * @param right the columns of right rows
   * @param seq the column of a right row, by number, that orders rows of one time; or -1
   */
  record Factory(TemporalJoinSpec spec, boolean ordered, StructType left, StructType right, int seq) implements TaskOperator.Factory {
    @Override public TaskOperator create() {
      return new NextRowOperator(this);
    }
  }

  private final TemporalJoinSpec spec;
  private final boolean ordered;
  private final JoinInputs inputs;
  private final JoinInput left;
  private final JoinInput right;
  private final RowJoiner joiner;
  private final int seq;
  private final UnsafeRow one;
  private final UnsafeRow other;

  private NextRowOperator(Factory factory) {
    spec = factory.spec;
    ordered = factory.ordered;
    seq = factory.seq;
    joiner = new RowJoiner(factory.left, factory.right);
    KeySlots keys = new KeySlots();
    SlotCounter counter = new SlotCounter(keys);
    left = new JoinInput("left", spec.left().at(spec.shift()), ordered, false, false, keys, counter);
    right = new JoinInput("right", spec.right().at(0), ordered, false, false, keys, counter);
    inputs = new JoinInputs(left, right);
    one = right.rows.view();
    other = right.rows.view();
  }

  @Override public void declare(States states) {
    inputs.declare(states);
  }

  @Override public void open(States states, byte[] saved) {
    Input from = saved == null ? null : new Input(saved);
    if (from != null) {
      Layout.check(from.number(), LAYOUT);
    }
    inputs.open(states, from);
  }

  @Override public void attach(States states) {
    inputs.attach(states);
  }

  @Override public byte[] save() {
    Output to = new Output();
    to.number(LAYOUT);
    inputs.save(to);
    return to.toBytes();
  }

  @Override public Iterator<InternalRow> process(Iterator<InternalRow> input, long watermark) {
    inputs.take(input, watermark);
    while (right.rows.nextToEnter() < right.rows.end()) {
      right.rows.append();
    }
    Pairs out = new Pairs();
    while (left.nextEntry() != NEVER && left.begins() >= left.nextEntry()) {
      forget(left.nextEntry());
      long row = left.rows.nextToEnter();
      long found = next(row);
      if (!matchesNone(row) && right.begins() <= until(row, found)) {
        break;
      }
      left.rows.append();
      if (found != JoinRows.NONE || spec.isOuter()) {
        out.add(row, found, left.rows.time(row));
      }
      left.endFirst();
    }
    forget(Math.min(left.nextEntry(), left.begins()));
    inputs.finish();
    return out.rows(left.rows, right.rows, joiner, inputs::trim);
  }

  /** Removes right rows from before a time for which left rows no longer ask. */
  private void forget(long asked) {
    while (right.rows.first() < right.rows.end() && isBefore(right.rows.first(), asked)) {
      right.endFirst();
    }
  }

  private boolean isBefore(long row, long asked) {
    return spec.inclusive() ? right.rows.time(row) < asked : right.rows.time(row) <= asked;
  }

  /** Returns the right row that a left row matches, of those that have arrived; or {@link JoinRows#NONE}. */
  private long next(long row) {
    long found = right.rows.firstOf(left.rows.slot(row));
    while (found != JoinRows.NONE && isBefore(found, left.entry(row))) {
      found = right.rows.nextOf(found);
    }
    if (found == JoinRows.NONE || right.rows.time(found) > last(row)) {
      return JoinRows.NONE;
    }
    for (long peer = right.rows.nextOf(found); peer != JoinRows.NONE && right.rows.time(peer) == right.rows.time(found);
        peer = right.rows.nextOf(peer)) {
      found = isLater(peer, found) ? peer : found;
    }
    return found;
  }

  /** Returns whether a right row arrived later than another one of the same time, by its number; without one, by its bytes. */
  private boolean isLater(long row, long earlier) {
    UnsafeRow later = right.rows.get(row, one);
    UnsafeRow before = right.rows.get(earlier, other);
    return seq < 0 ? Arrays.compareUnsigned(later.getBytes(), before.getBytes()) > 0 : later.getLong(seq) > before.getLong(seq);
  }

  /** Returns the latest time of a right row that a left row can match. */
  private long last(long row) {
    return left.rows.time(row) + spec.within();
  }

  /** Returns the time that the right input has to pass until the match of a left row is certain. */
  private long until(long row, long found) {
    // The output is ordered over all tasks, and a task does not know what the others wait for.
    return found == JoinRows.NONE || !isAlone() ? last(row) : right.rows.time(found);
  }

  private boolean isAlone() {
    return !ordered || Partitions.count() == 1;
  }

  /** Returns whether a left row matches nothing, so it does not wait for right rows. */
  private boolean matchesNone(long row) {
    return isAlone() && !left.canMatch(row);
  }

  @Override public long due() {
    long due = Math.min(left.due(), right.due());
    if (left.nextEntry() == NEVER) {
      return due;
    }
    long row = left.rows.nextToEnter();
    long known = matchesNone(row) ? Long.MIN_VALUE : right.passes(until(row, next(row)));
    return Math.min(due, Math.max(left.reaches(left.nextEntry()), known));
  }
}
