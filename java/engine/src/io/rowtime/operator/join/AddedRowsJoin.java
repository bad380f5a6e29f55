package io.rowtime.operator.join;

import io.rowtime.operator.join.RowBuckets.Bucket;
import io.rowtime.state.values.KeySlots;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.unsafe.Platform;

/**
 * A batch of an inner join of rows that are only added: each pair of a new row with another one is a row of the result. New rows need
 * not be compared with one another, and become objects only if they are kept.
 */
final class AddedRowsJoin {
  /** An input: its rows of the batch and, of keys for which new rows of the other input have arrived, those in the state. */
  private static final class Side {
    final RowBuckets kept;
    final EndingRows ends;
    final JoinRows rows;
    final UnsafeRow view;

    Side(RowBuckets kept, EndingRows ends, int fields) {
      this.kept = kept;
      this.ends = ends;
      rows = new JoinRows(fields);
      view = rows.view();
    }

    void take(Object base, long offset, int size, int slot) {
      rows.append(0, slot, rows.store(base, offset, size), size);
      rows.enter();
    }

    boolean has(int slot) {
      return rows.firstOf(slot) != JoinRows.NONE;
    }
  }

  private final Side left;
  private final Side right;
  private final RowJoiner joiner;
  private final JoinCondition condition;

  AddedRowsJoin(RowBuckets lefts, EndingRows leftEnds, int leftWidth, RowBuckets rights, EndingRows rightEnds, int rightWidth, RowJoiner joiner,
      JoinCondition condition) {
    left = new Side(lefts, leftEnds, leftWidth);
    right = new Side(rights, rightEnds, rightWidth);
    this.joiner = joiner;
    this.condition = condition;
  }

  Iterator<InternalRow> process(Iterator<InternalRow> rows, long watermark) {
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
    Bucket lefts = right.has(slot) ? matchKept(left, key, slot, out) : null;
    Bucket rights = left.has(slot) ? matchKept(right, key, slot, out) : null;
    keep(left, lefts, key, slot);
    keep(right, rights, key, slot);
  }

  /** Joins the rows of an input that are in the state with the new ones of the other input. */
  private Bucket matchKept(Side side, byte[] key, int slot, Pairs out) {
    Bucket bucket = side.kept.bucket(key);
    Side other = side == left ? right : left;
    for (KeptRow each : bucket.all()) {
      for (long times = each.count; times > 0; times--) {
        long kept = side.rows.end();
        side.rows.append(0, JoinRows.NO_KEY, side.rows.store(each.bytes, Platform.BYTE_ARRAY_OFFSET, each.bytes.length), each.bytes.length);
        side.rows.enter();
        for (long row = other.rows.firstOf(slot); row != JoinRows.NONE; row = other.rows.nextOf(row)) {
          addPair(side == left ? kept : row, side == left ? row : kept, out);
        }
      }
    }
    return bucket;
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
  private void keep(Side side, Bucket read, byte[] key, int slot) {
    List<KeptRow> kept = new ArrayList<>();
    for (long row = side.rows.firstOf(slot); row != JoinRows.NONE; row = side.rows.nextOf(row)) {
      if (!side.ends.hasEnded(side.rows.get(row, side.view))) {
        KeptRow each = new KeptRow(side.view.getBytes());
        each.count = 1;
        kept.add(each);
      }
    }
    if (!kept.isEmpty()) {
      Bucket bucket = read == null ? side.kept.bucket(key) : read;
      side.ends.remove(key, bucket, bucket.apply(kept));
      bucket.write();
    }
  }
}
