package io.rowtime.operator.changelog;

import io.rowtime.operator.spec.ChangelogSpec;
import io.rowtime.state.KeyColumns;
import io.rowtime.state.values.KeySlots;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import org.apache.spark.api.java.function.MapPartitionsFunction;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.catalyst.expressions.JoinedRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.types.StructType;

/**
 * What the rows of a micro-batch change in all. Rows that are added as often as they are retracted change nothing, whatever
 * their order.
 */
final class NetChanges implements MapPartitionsFunction<InternalRow, InternalRow> {
  private static final long serialVersionUID = 1L;

  /** The kinds of changes, as TO_CHANGELOG numbers them. */
  private enum Op { INSERT, UPDATE_BEFORE, UPDATE_AFTER, DELETE }

  private final ChangelogSpec spec;
  private final StructType schema;

  NetChanges(ChangelogSpec spec, StructType schema) {
    this.spec = spec;
    this.schema = schema;
  }

  @Override public Iterator<InternalRow> call(Iterator<InternalRow> rows) {
    return new Partition().changes(rows);
  }

  /** A row, by its slot, and what happens to it. */
  private record Change(Op op, int row) {}

  private final class Partition {
    private final KeySlots rows = new KeySlots();
    private long[] counts = new long[64];

    Iterator<InternalRow> changes(Iterator<InternalRow> input) {
      UnsafeProjection columns = KeyColumns.of(spec.columns(), schema);
      int change = schema.fieldIndex(spec.change());
      List<Change> changes = spec.renews() ? ofLives(input, columns, change) : netChanges(input, columns, change);
      UnsafeRow view = new UnsafeRow(spec.columns().size());
      GenericInternalRow op = new GenericInternalRow(1);
      JoinedRow joined = new JoinedRow(view, op);
      return changes.stream().map(each -> {
        byte[] bytes = rows.key(each.row);
        view.pointTo(bytes, bytes.length);
        op.setByte(0, (byte) each.op.ordinal());
        return (InternalRow) joined;
      }).iterator();
    }

    private List<Change> netChanges(Iterator<InternalRow> input, UnsafeProjection columns, int change) {
      while (input.hasNext()) {
        InternalRow row = input.next();
        int slot = rows.slot(columns.apply(row));
        if (slot >= counts.length) {
          counts = Arrays.copyOf(counts, slot * 2);
        }
        counts[slot] += row.getLong(change);
      }
      return spec.key() == null ? ofRows() : ofKeys();
    }

    /**
     * Of each key, at most one row is retracted: the first one is then what replaces it. All further rows are of lives that begin. An upsert
     * needs the last row only.
     */
    private List<Change> ofLives(Iterator<InternalRow> input, UnsafeProjection columns, int change) {
      UnsafeProjection key = KeyColumns.of(spec.key(), kept());
      UnsafeRow view = new UnsafeRow(spec.columns().size());
      KeySlots keys = new KeySlots();
      List<List<Change>> lives = new ArrayList<>();
      while (input.hasNext()) {
        InternalRow row = input.next();
        int place = rows.slot(columns.apply(row));
        byte[] bytes = rows.key(place);
        view.pointTo(bytes, bytes.length);
        int slot = keys.slot(key.apply(view));
        if (slot == lives.size()) {
          lives.add(new ArrayList<>());
        }
        List<Change> of = lives.get(slot);
        boolean replaces = of.size() == 1 && of.get(0).op == Op.UPDATE_BEFORE;
        of.add(new Change(row.getLong(change) < 0 ? Op.UPDATE_BEFORE : replaces ? Op.UPDATE_AFTER : Op.INSERT, place));
      }
      List<Change> changes = new ArrayList<>();
      for (List<Change> of : lives) {
        boolean same = of.get(0).op == Op.UPDATE_BEFORE && of.get(0).row == of.get(1).row;
        List<Change> left = same ? of.subList(2, of.size()) : of;
        changes.addAll(spec.upserts() && !left.isEmpty() ? left.subList(left.size() - 1, left.size()) : left);
      }
      return changes;
    }

    private StructType kept() {
      StructType columns = new StructType();
      for (String column : spec.columns()) {
        columns = columns.add(schema.apply(column));
      }
      return columns;
    }

    private List<Change> ofRows() {
      List<Change> changes = new ArrayList<>();
      for (int row = 0; row < rows.slots(); row++) {
        for (long i = 0; i < Math.abs(counts[row]); i++) {
          changes.add(new Change(counts[row] > 0 ? Op.INSERT : Op.DELETE, row));
        }
      }
      return changes;
    }

    /** Each key has at most one row before the micro-batch, and one after it. */
    private List<Change> ofKeys() {
      UnsafeProjection key = KeyColumns.of(spec.key(), kept());
      UnsafeRow view = new UnsafeRow(spec.columns().size());
      KeySlots keys = new KeySlots();
      // By key: the number of its row plus 1.
      int[] before = new int[rows.slots()];
      int[] after = new int[rows.slots()];
      for (int row = 0; row < rows.slots(); row++) {
        if (counts[row] != 0) {
          byte[] bytes = rows.key(row);
          view.pointTo(bytes, bytes.length);
          int[] side = counts[row] < 0 ? before : after;
          int slot = keys.slot(key.apply(view));
          if (side[slot] != 0 || Math.abs(counts[row]) != 1) {
            // The driver turns it into RT0558.
            throw new IllegalStateException("Two rows of the result are equal in its unique key");
          }
          side[slot] = row + 1;
        }
      }
      List<Change> changes = new ArrayList<>();
      for (int slot = 0; slot < keys.slots(); slot++) {
        boolean replaces = before[slot] != 0 && after[slot] != 0;
        if (before[slot] != 0 && !(replaces && spec.upserts())) {
          changes.add(new Change(replaces ? Op.UPDATE_BEFORE : Op.DELETE, before[slot] - 1));
        }
        if (after[slot] != 0) {
          changes.add(new Change(replaces ? Op.UPDATE_AFTER : Op.INSERT, after[slot] - 1));
        }
      }
      return changes;
    }
  }
}
