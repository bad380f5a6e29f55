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
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.unsafe.Platform;
import scala.jdk.javaapi.CollectionConverters;

/**
 * Joins each left row with the versions of right rows that are the latest at a time derived from the left row.
 *
 * <p>Rows of both inputs are processed in order of that time. A version replaces the previous one when no left row can
 * need the latter any more; a left row is emitted when no version that it should be joined with can arrive. State
 * therefore contains one version per row, and the rows that wait.
 */
final class TemporalJoinOperator implements TaskOperator {
  private static final long LAYOUT = 1;

  /**
   * @param left the columns of left rows
   * @param right the columns of right rows
   * @param condition a condition over the columns of a left and a right row, by number; null for none
   * @param identity the columns of a right row, by number, that identify the entity of a version; empty if its key does
   * @param seq the column of a right row, by number, that orders versions of the same time; or -1
   */
  record Factory(TemporalJoinSpec spec, boolean ordered, StructType left, StructType right, Expression condition, Expression[] identity,
      int seq)
      implements TaskOperator.Factory {
    @Override public TaskOperator create() {
      return new TemporalJoinOperator(this);
    }
  }

  private final TemporalJoinSpec spec;
  private final boolean ordered;
  private final JoinInputs inputs;
  private final JoinInput left;
  private final JoinInput right;
  private final LatestVersions versions;
  /** Numbers identities; null if the keys of the join identify entities. */
  private final KeySlots identities;
  private final Expression[] identityColumns;
  private final int seq;
  private final RowJoiner joiner;
  private final JoinCondition condition;
  private final UnsafeRow leftRow;
  private final UnsafeRow rightRow;
  private final UnsafeRow earlierRow;
  private UnsafeProjection identityOf;

  private TemporalJoinOperator(Factory factory) {
    spec = factory.spec;
    ordered = factory.ordered;
    condition = new JoinCondition(factory.condition);
    joiner = new RowJoiner(factory.left, factory.right);
    identityColumns = factory.identity;
    seq = factory.seq;
    KeySlots keys = new KeySlots();
    SlotCounter counter = new SlotCounter(keys);
    // A row is done once it is processed, so matches are not recorded.
    left = new JoinInput("left", spec.left().at(spec.shift()), ordered, false, false, keys, counter);
    right = new JoinInput("right", spec.right().at(0), ordered, false, false, keys, counter);
    inputs = new JoinInputs(left, right);
    versions = new LatestVersions(keys, counter);
    identities = spec.hasIdentity() ? new KeySlots() : null;
    leftRow = left.rows.view();
    rightRow = right.rows.view();
    earlierRow = right.rows.view();
  }

  @Override public void declare(States states) {
    inputs.declare(states);
    states.blocks("versions");
  }

  @Override public void open(States states, byte[] saved) {
    versions.attach(states.blocks("versions"));
    Input from = saved == null ? null : new Input(saved);
    if (from != null) {
      Layout.check(from.number(), LAYOUT);
      versions.load(from, (identity, slot) -> identities == null ? slot : identities.slot(identity));
    }
    inputs.open(states, from);
  }

  @Override public void attach(States states) {
    versions.attach(states.blocks("versions"));
    inputs.attach(states);
  }

  @Override public byte[] save() {
    Output to = new Output();
    to.number(LAYOUT);
    versions.save(to);
    inputs.save(to);
    return to.toBytes();
  }

  @Override public Iterator<InternalRow> process(Iterator<InternalRow> input, long watermark) {
    inputs.take(input, watermark);
    VersionedPairs out = new VersionedPairs();
    advance(out);
    inputs.finish();
    versions.finish();
    return out.rows(left.rows, right.rows.view(), joiner, inputs::trim);
  }

  /** Processes rows as far as the inputs have advanced. */
  private void advance(VersionedPairs out) {
    boolean alone = isAlone();
    while (true) {
      long row = left.nextEntry();
      long version = right.nextEntry();
      if (version != NEVER && (spec.inclusive() ? version <= row : version < row)) {
        if (spec.inclusive() ? left.begins() < version : left.begins() <= version) {
          return;
        }
        replace();
      } else if (row != NEVER && left.begins() >= row && (matchesNone(alone) || (spec.inclusive() ? right.begins() > row : right.begins() >= row))) {
        joinNext(row - spec.shift(), out);
      } else {
        return;
      }
    }
  }

  /**
   * Returns whether this task emits all rows of the result; otherwise rows of other tasks may have to be emitted before
   * its own.
   */
  private boolean isAlone() {
    return !ordered || Partitions.count() == 1;
  }

  /** Returns whether the next left row need not wait for versions, because it has no match. */
  private boolean matchesNone(boolean alone) {
    return alone && !left.canMatch(left.rows.nextToEnter());
  }

  private void replace() {
    long number = right.rows.append();
    UnsafeRow row = right.rows.get(number, rightRow);
    int slot = right.rows.slot(number);
    byte[] identity = null;
    int place = slot;
    if (identities != null) {
      if (identityOf == null) {
        identityOf = UnsafeProjection.create(CollectionConverters.asScala(Arrays.asList(identityColumns)).toSeq());
      }
      identity = identityOf.apply(row).copy().getBytes();
      place = identities.slot(identity);
    }
    if (!versions.has(place) || versions.time(place) < right.rows.time(number) || isLater(row, versions.get(place))) {
      versions.put(place, identity, slot, right.rows.time(number), row.getBytes());
    }
    right.endFirst();
  }

  /**
   * Returns whether a version follows another one of the same time: by its sequence number, or without one by its
   * bytes, which gives some fixed order.
   */
  private boolean isLater(UnsafeRow row, byte[] earlier) {
    if (seq < 0) {
      return Arrays.compareUnsigned(row.getBytes(), earlier) > 0;
    }
    earlierRow.pointTo(earlier, Platform.BYTE_ARRAY_OFFSET, earlier.length);
    return row.getLong(seq) > earlierRow.getLong(seq);
  }

  private void joinNext(long time, VersionedPairs out) {
    long row = left.rows.append();
    boolean matched = false;
    for (int each = versions.firstOf(left.rows.slot(row)); each != LatestVersions.NONE; each = versions.nextOf(each)) {
      if (isMatch(row, versions.get(each))) {
        out.add(row, versions.get(each), time);
        matched = true;
      }
    }
    if (!matched && spec.isOuter()) {
      out.add(row, null, time);
    }
    left.endFirst();
  }

  private boolean isMatch(long row, byte[] version) {
    if (condition.isEmpty()) {
      return true;
    }
    rightRow.pointTo(version, Platform.BYTE_ARRAY_OFFSET, version.length);
    return condition.matches(left.rows.get(row, leftRow), rightRow);
  }

  @Override public long due() {
    long due = Math.min(left.due(), right.due());
    long row = left.nextEntry();
    if (row != NEVER) {
      long known = matchesNone(isAlone()) ? Long.MIN_VALUE : spec.inclusive() ? right.passes(row) : right.reaches(row);
      due = Math.min(due, Math.max(left.reaches(row), known));
    }
    long version = right.nextEntry();
    if (version != NEVER) {
      due = Math.min(due, spec.inclusive() ? left.reaches(version) : left.passes(version));
    }
    return due;
  }
}
