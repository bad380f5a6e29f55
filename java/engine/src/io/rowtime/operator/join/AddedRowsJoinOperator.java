package io.rowtime.operator.join;

import io.rowtime.operator.spec.UpdatingJoinSpec;
import io.rowtime.state.EntriesOperator;
import io.rowtime.state.States;
import io.rowtime.state.values.KeySlots;
import java.util.Iterator;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.unsafe.Platform;

/**
 * An inner join of rows that are only added: each pair of a new row with another one is a row of the result. It keeps the rows of both
 * inputs as they came ({@link RowChunks}), and reads those of keys for which the other input has new rows. Rows that have had their
 * last match are dropped ({@link EndingRows}).
 */
final class AddedRowsJoinOperator extends EntriesOperator {
  /** 2: rows are in chunks. In the first layout they are in buckets, as those of {@link UpdatingJoinOperator}, until their key is read. */
  private static final long LAYOUT = 2;
  private static final long IN_BUCKETS = 1;

  /** An input: its rows of the batch and, of keys for which new rows of the other input have arrived, those in the state. */
  private static final class Side {
    final RowChunks kept;
    final EndingRows ends;
    final JoinRows rows;
    final UnsafeRow view;

    /** @param number tells its entries apart from those of the other input */
    Side(int number, int fields, UpdatingJoinSpec.Side spec, UpdatingJoinSpec.Side other) {
      kept = new RowChunks(number + 4, new RowBuckets(number, false));
      ends = new EndingRows(number + 2, spec, other, kept);
      rows = new JoinRows(fields);
      view = rows.view();
    }

    void attach(States.Entries entries, boolean replaces) {
      kept.attach(entries, replaces);
      ends.attach(entries);
    }

    void take(Object base, long offset, int size, int slot) {
      rows.append(0, slot, rows.store(base, offset, size), size);
      rows.append();
    }

    boolean has(int slot) {
      return rows.firstOf(slot) != JoinRows.NONE;
    }
  }

  private final Side left;
  private final Side right;
  private final RowJoiner joiner;
  private final JoinCondition condition;

  /** Whether the entries have the first layout. */
  private boolean inBuckets;

  AddedRowsJoinOperator(UpdatingJoinOperator.Factory factory) {
    super(UpdatingJoinOperator.ROWS, LAYOUT);
    UpdatingJoinSpec spec = factory.spec();
    left = new Side(0, factory.left().length(), spec.left(), spec.right());
    right = new Side(1, factory.rightWidth(), spec.right(), spec.left());
    joiner = new RowJoiner(factory.left(), factory.right());
    condition = new JoinCondition(factory.condition());
  }

  @Override protected void checkLayout(long saved) {
    inBuckets = saved == IN_BUCKETS;
    if (!inBuckets) {
      super.checkLayout(saved);
    }
  }

  @Override protected long layout() {
    return inBuckets ? IN_BUCKETS : LAYOUT;
  }

  @Override protected void attach(States.Entries entries) {
    left.attach(entries, inBuckets);
    right.attach(entries, inBuckets);
  }

  @Override public Iterator<InternalRow> process(Iterator<InternalRow> rows, long watermark) {
    // The rows of the last batch are still there if not all of its output has been read.
    forget();
    KeySlots keys = new KeySlots();
    while (rows.hasNext()) {
      UnsafeRow row = (UnsafeRow) rows.next();
      boolean ofLeft = row.getInt(JoinInput.INPUT) == 0;
      Side side = ofLeft ? left : right;
      long place = row.getLong(JoinInput.ROW);
      side.view.pointTo(row.getBaseObject(), row.getBaseOffset() + (place >> 32), (int) place);
      (ofLeft ? right : left).ends.takeOther(side.view);
      int slot = JoinInput.slot(row, keys);
      // A row without a key matches nothing.
      if (slot != JoinRows.NO_KEY) {
        for (long times = row.getLong(JoinInput.TIME); times > 0; times--) {
          side.take(side.view.getBaseObject(), side.view.getBaseOffset(), side.view.getSizeInBytes(), slot);
        }
      }
    }
    left.ends.advance(watermark);
    right.ends.advance(watermark);
    Pairs out = new Pairs();
    for (int slot = 0; slot < keys.slots(); slot++) {
      join(keys.key(slot), slot, out);
    }
    left.ends.finish();
    right.ends.finish();
    return out.rows(left.rows, right.rows, joiner, this::forget);
  }

  private void forget() {
    forget(left.rows);
    forget(right.rows);
  }

  private static void forget(JoinRows rows) {
    while (rows.first() < rows.end()) {
      rows.endFirst();
    }
    rows.trim();
  }

  private void join(byte[] key, int slot, Pairs out) {
    for (long row = left.rows.firstOf(slot); row != JoinRows.NONE; row = left.rows.nextOf(row)) {
      for (long other = right.rows.firstOf(slot); other != JoinRows.NONE; other = right.rows.nextOf(other)) {
        addPair(row, other, out);
      }
    }
    // What is read of a key is as it was before the batch, so it is read before the rows of the batch are written.
    RowChunks.Rows lefts = right.has(slot) ? matchKept(left, key, slot, out) : null;
    RowChunks.Rows rights = left.has(slot) ? matchKept(right, key, slot, out) : null;
    keep(left, lefts, key, slot);
    keep(right, rights, key, slot);
  }

  /** Joins the rows of an input that are in the state with the new ones of the other input. */
  private RowChunks.Rows matchKept(Side side, byte[] key, int slot, Pairs out) {
    RowChunks.Rows kept = side.kept.rows(key);
    JoinRows others = (side == left ? right : left).rows;
    kept.forEach((bytes, offset, size) -> {
      long row = side.rows.end();
      side.rows.append(0, JoinRows.NO_KEY, side.rows.store(bytes, Platform.BYTE_ARRAY_OFFSET + (long) offset, size), size);
      side.rows.append();
      for (long other = others.firstOf(slot); other != JoinRows.NONE; other = others.nextOf(other)) {
        addPair(side == left ? row : other, side == left ? other : row, out);
      }
    });
    return kept;
  }

  private void addPair(long leftNumber, long rightNumber, Pairs out) {
    if (condition.isEmpty() || condition.matches(left.rows.get(leftNumber, left.view), right.rows.get(rightNumber, right.view))) {
      out.add(leftNumber, rightNumber, 1);
    }
  }

  /**
   * Writes the new rows of a key that later ones can match.
   *
   * @param read the rows of the key in the state; null if they have not been read
   */
  private static void keep(Side side, RowChunks.Rows read, byte[] key, int slot) {
    RowChunks.Rows kept = read;
    boolean added = false;
    for (long row = side.rows.firstOf(slot); row != JoinRows.NONE; row = side.rows.nextOf(row)) {
      if (!side.ends.hasEnded(side.rows.get(row, side.view))) {
        kept = kept == null ? side.kept.rows(key) : kept;
        side.rows.write(row, kept);
        side.ends.add(key, side.view);
        added = true;
      }
    }
    if (added) {
      kept.write();
    }
  }
}
