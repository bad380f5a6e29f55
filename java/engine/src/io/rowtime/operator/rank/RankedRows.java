package io.rowtime.operator.rank;

import io.rowtime.aggregate.RankFunction;
import io.rowtime.operator.RowOrder;
import io.rowtime.operator.spec.Order;
import io.rowtime.operator.spec.TopNSpec;
import io.rowtime.state.values.Chunk;
import io.rowtime.state.values.ValueType;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntConsumer;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.unsafe.Platform;

/**
 * Keeps, for each partition (slot), its first rows so far, in order. A row is removed as soon as it is not among them
 * any more.
 *
 * <p>Each row has a number. The next row has one before it is known whether it is kept, so its columns are written
 * where they stay; numbers of removed rows are reused, and so is their memory.
 */
final class RankedRows {
  static final ValueType BIGINT = ValueType.of(DataTypes.LongType);

  private final RankFunction function;
  private final int limit;
  private final List<Order> order;
  private final RowContent content;
  private final int fields;
  private final IntConsumer removed;

  /** By row number: its time, its slot (-1 if removed) and the columns that order it. */
  private final Chunk columns;
  private final int[] keys;
  private long[] seqs = new long[64];
  private byte[][] rows = new byte[64][];
  private int[] sizes = new int[64];
  private int[] free = new int[64];
  private int freed;
  private int incoming;
  private int kept;
  private long bytes;

  /** By slot: its rows in order, their number, and the number of those that are not peers of the previous row. */
  private int[][] ranked = new int[64][];
  private int[] counts = new int[64];
  private int[] distinct = new int[64];

  private final UnsafeRow left;
  private final UnsafeRow right;

  /**
   * @param schema the columns of the rows
   * @param compared the first columns of the rows, which order rows that are otherwise equal
   * @param types the types of the columns that order rows
   * @param removed receives the number of each row that is removed
   */
  RankedRows(TopNSpec spec, StructType schema, StructType compared, ValueType[] types, int[] keys, IntConsumer removed) {
    this.function = spec.function();
    this.limit = spec.limit();
    this.order = spec.order();
    this.keys = keys;
    this.content = new RowContent(compared);
    this.fields = schema.length();
    this.removed = removed;
    columns = new Chunk(types, 64);
    left = new UnsafeRow(fields);
    right = new UnsafeRow(fields);
    incoming = number();
  }

  /** Returns the number of the next row: set its columns in {@link #columns} first. */
  int incoming() {
    return incoming;
  }

  Chunk columns() {
    return columns;
  }

  /** Returns the number of rows of all slots. */
  int size() {
    return kept;
  }

  /** Returns the size of all rows, in bytes. */
  long bytes() {
    return bytes;
  }

  void grow(int slots) {
    if (slots > counts.length) {
      ranked = Arrays.copyOf(ranked, slots * 2);
      counts = Arrays.copyOf(counts, slots * 2);
      distinct = Arrays.copyOf(distinct, slots * 2);
    }
  }

  /**
   * Returns whether the next row may be among the first ones of its slot; false only if it is certain that it is not.
   *
   * @param time {@code time} and {@code seq} order the row among its peers
   */
  boolean mayEnter(int slot, long time, long seq) {
    columns.times[incoming] = time;
    seqs[incoming] = seq;
    if (limit == 0) {
      return false;
    }
    if (!isFull(slot)) {
      return true;
    }
    int last = last(slot);
    int compared = RowOrder.compare(order, keys, columns, incoming, last);
    if (compared == 0 && function == RankFunction.ROW_NUMBER) {
      compared = arrival(incoming, last);
    }
    return compared <= 0;
  }

  /** Adds the next row, after {@link #mayEnter}; returns its number, or -1 if it is not among the first ones. */
  int add(int slot, UnsafeRow row) {
    int number = incoming;
    store(number, row);
    int at = position(slot, number);
    if (function == RankFunction.ROW_NUMBER && at == limit) {
      return -1;
    }
    if (function == RankFunction.DENSE_RANK && !isPeer(slot, at - 1, number) && !isPeer(slot, at, number)) {
      distinct[slot]++;
    }
    insert(slot, at, number);
    columns.slots[number] = slot;
    kept++;
    bytes += sizes[number];
    incoming = number();
    trim(slot);
    return number;
  }

  int count(int slot) {
    return counts[slot];
  }

  /** Returns the number of the row at position {@code place} of its slot, from 0. */
  int row(int slot, int place) {
    return ranked[slot][place];
  }

  /** Returns whether a row has the same rank as the previous one in its slot. */
  boolean isPeerOfPrevious(int slot, int place) {
    return place > 0 && isPeer(slot, place - 1, ranked[slot][place]);
  }

  /** Returns the slot of a row; -1 if it was removed. */
  int slot(int number) {
    return columns.slots[number];
  }

  /** Returns an exclusive upper limit of the row numbers. */
  int numbers() {
    return columns.rows;
  }

  long time(int number) {
    return columns.times[number];
  }

  long seq(int number) {
    return seqs[number];
  }

  /** Points {@code to} at a row, which is valid until rows are added. */
  UnsafeRow get(int number, UnsafeRow to) {
    to.pointTo(rows[number], Platform.BYTE_ARRAY_OFFSET, sizes[number]);
    return to;
  }

  /** Removes all rows of a slot. */
  void clear(int slot) {
    for (int i = 0; i < counts[slot]; i++) {
      remove(ranked[slot][i]);
    }
    counts[slot] = 0;
    distinct[slot] = 0;
    ranked[slot] = null;
  }

  private boolean isFull(int slot) {
    return function == RankFunction.DENSE_RANK ? distinct[slot] >= limit : counts[slot] >= limit;
  }

  private int last(int slot) {
    return ranked[slot][counts[slot] - 1];
  }

  private int number() {
    if (freed > 0) {
      return free[--freed];
    }
    int number = columns.add(0, -1);
    if (number == sizes.length) {
      seqs = Arrays.copyOf(seqs, number * 2);
      rows = Arrays.copyOf(rows, number * 2);
      sizes = Arrays.copyOf(sizes, number * 2);
    }
    return number;
  }

  private void store(int number, UnsafeRow row) {
    int size = row.getSizeInBytes();
    if (rows[number] == null || rows[number].length < size || rows[number].length > 4 * size) {
      rows[number] = new byte[size];
    }
    row.writeToMemory(rows[number], Platform.BYTE_ARRAY_OFFSET);
    sizes[number] = size;
  }

  /** Returns how many rows of the slot precede a row. */
  private int position(int slot, int number) {
    int low = 0;
    int high = counts[slot];
    if (high > 0 && compare(ranked[slot][high - 1], number) <= 0) {
      return high;
    }
    while (low < high) {
      int middle = low + high >>> 1;
      if (compare(ranked[slot][middle], number) <= 0) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  private int compare(int one, int other) {
    int compared = RowOrder.compare(order, keys, columns, one, other);
    if (compared == 0) {
      compared = arrival(one, other);
    }
    return compared != 0 ? compared : content.compare(get(one, left), get(other, right));
  }

  private int arrival(int one, int other) {
    int compared = Long.compare(columns.times[one], columns.times[other]);
    return compared != 0 ? compared : Long.compare(seqs[one], seqs[other]);
  }

  private boolean isPeer(int slot, int place, int number) {
    return place >= 0 && place < counts[slot] && RowOrder.compare(order, keys, columns, ranked[slot][place], number) == 0;
  }

  private void insert(int slot, int at, int number) {
    int count = counts[slot]++;
    int[] all = ranked[slot];
    if (all == null || count == all.length) {
      // Most partitions have few rows.
      all = all == null ? new int[Math.min(limit, 4)] : Arrays.copyOf(all, count * 2);
      ranked[slot] = all;
    }
    System.arraycopy(all, at, all, at + 1, count - at);
    all[at] = number;
  }

  /** Removes the rows that a new one has moved beyond the limit: those at the end that are peers of one another. */
  private void trim(int slot) {
    int count = counts[slot];
    int from = count;
    switch (function) {
      case ROW_NUMBER -> from = Math.min(count, limit);
      case RANK -> {
        if (count > limit && !isPeer(slot, limit - 1, last(slot))) {
          from = firstPeer(slot);
        }
      }
      case DENSE_RANK -> {
        if (distinct[slot] > limit) {
          from = firstPeer(slot);
          distinct[slot]--;
        }
      }
    }
    for (int i = from; i < count; i++) {
      remove(ranked[slot][i]);
    }
    counts[slot] = from;
  }

  /** Returns the position of the first of the last peers of a slot. */
  private int firstPeer(int slot) {
    int last = last(slot);
    int low = 0;
    int high = counts[slot] - 1;
    while (low < high) {
      int middle = low + high >>> 1;
      if (isPeer(slot, middle, last)) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    return low;
  }

  private void remove(int number) {
    columns.slots[number] = -1;
    kept--;
    bytes -= sizes[number];
    removed.accept(number);
    if (freed == free.length) {
      free = Arrays.copyOf(free, freed * 2);
    }
    free[freed++] = number;
  }
}
