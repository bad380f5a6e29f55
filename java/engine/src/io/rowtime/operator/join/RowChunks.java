package io.rowtime.operator.join;

import io.rowtime.operator.join.EndingRows.RowTest;
import io.rowtime.operator.join.RowBuckets.Bucket;
import io.rowtime.state.States;
import io.rowtime.state.values.Input;
import io.rowtime.state.values.Output;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The rows of an input of a join that are only added, by join key, one after the other in chunks. Adding one reads and writes the last
 * chunk of its key, which the state has in the same entry as the number of those before; it neither compares rows nor makes objects
 * of them. Nothing stays in memory.
 */
final class RowChunks implements EndingRows.Keyed {
  /** Receives a row in Spark's binary format. */
  interface RowConsumer {
    void accept(byte[] bytes, int offset, int size);
  }

  /** From so many bytes on, a chunk is complete; tests use less. */
  static int chunkSize = 8 << 10;

  private final int number;
  private final RowBuckets earlier;
  private boolean replaces;
  private States.Entries entries;

  /**
   * @param number tells it apart from others with the same entries
   * @param earlier where an earlier build has kept the rows
   */
  RowChunks(int number, RowBuckets earlier) {
    this.number = number;
    this.earlier = earlier;
  }

  /** @param replaces whether the state may have rows that an earlier build has kept */
  void attach(States.Entries to, boolean replaces) {
    entries = to;
    earlier.attach(to);
    this.replaces = replaces;
  }

  Rows rows(byte[] key) {
    return new Rows(key);
  }

  @Override public void removeIf(byte[] key, RowTest ended) {
    rows(key).removeIf(ended);
  }

  /** The rows of a key. */
  final class Rows {
    private final byte[] key;
    /** How many chunks are complete, and the rows of the last one. */
    private int complete;
    private Output last = new Output();

    private Rows(byte[] key) {
      this.key = key;
      byte[] saved = entries.get(stateKey(RowBuckets.HEAD));
      if (saved != null) {
        Input from = new Input(saved);
        complete = from.count();
        last.append(saved, from.position(), saved.length - from.position());
      } else if (replaces) {
        takeOver();
      }
    }

    private void takeOver() {
      Bucket bucket = earlier.bucket(key);
      for (KeptRow row : bucket.all()) {
        for (long times = row.count; times > 0; times--) {
          add(row.bytes, 0, row.bytes.length);
        }
      }
      if (bucket.total() > 0) {
        bucket.removeIf(row -> true);
        bucket.write();
        write();
      }
    }

    private byte[] stateKey(int chunk) {
      return RowBuckets.stateKey(number, key, chunk);
    }

    void forEach(RowConsumer rows) {
      for (int chunk = 0; chunk < complete; chunk++) {
        forEach(entries.get(stateKey(chunk)), rows);
      }
      forEach(last.toBytes(), rows);
    }

    private static void forEach(byte[] chunk, RowConsumer rows) {
      Input from = new Input(chunk);
      while (from.hasMore()) {
        int size = from.count();
        rows.accept(chunk, from.position(), size);
        from.skip(size);
      }
    }

    /** Adds a row; {@link #write} has to follow. */
    void add(byte[] bytes, int offset, int size) {
      last.bytes(bytes, offset, size);
      if (last.size() >= chunkSize) {
        entries.put(stateKey(complete++), last.toBytes());
        last = new Output();
      }
    }

    void write() {
      Output to = new Output();
      to.number(complete);
      last.appendTo(to);
      entries.put(stateKey(RowBuckets.HEAD), to.toBytes());
    }

    private void removeIf(RowTest ended) {
      List<byte[]> left = new ArrayList<>();
      int[] all = {0};
      forEach((bytes, offset, size) -> {
        all[0]++;
        if (!ended.test(bytes, offset, size)) {
          left.add(Arrays.copyOfRange(bytes, offset, offset + size));
        }
      });
      if (left.size() == all[0]) {
        return;
      }
      int had = complete;
      complete = 0;
      last = new Output();
      left.forEach(row -> add(row, 0, row.length));
      for (int chunk = complete; chunk < had; chunk++) {
        entries.remove(stateKey(chunk));
      }
      if (!left.isEmpty()) {
        write();
      } else {
        entries.remove(stateKey(RowBuckets.HEAD));
      }
    }
  }
}
