package io.rowtime.operator.join;

import io.rowtime.operator.join.EndingRows.RowTest;
import io.rowtime.state.States;
import io.rowtime.state.values.Input;
import io.rowtime.state.values.Output;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/**
 * The rows of an input of an updating join, by join key. The state has an entry for each key. A key with many rows has pages besides:
 * a row is in the page that its hash and the number of pages give (linear hashing), so that it is found without a directory, and one
 * page at a time is divided or merged. Nothing stays in memory.
 */
final class RowBuckets implements EndingRows.Keyed {
  /** How many rows a page has on average at most; tests use less. */
  static int pageSize = 64;

  /** The number, among those of its pages, of the entry that each key has. */
  static final int HEAD = -1;

  private final int number;
  private final boolean counted;
  private States.Entries entries;

  /**
   * @param number tells it apart from others with the same entries
   * @param counted whether rows have the number of their matches
   */
  RowBuckets(int number, boolean counted) {
    this.number = number;
    this.counted = counted;
  }

  void attach(States.Entries to) {
    entries = to;
  }

  Bucket bucket(byte[] key) {
    return new Bucket(key);
  }

  @Override public void removeIf(byte[] key, RowTest ended) {
    Bucket bucket = bucket(key);
    bucket.readAll();
    bucket.removeIf(row -> ended.test(row.bytes, 0, row.bytes.length));
    bucket.write();
  }

  /** Returns the page of a row: of the first power of two of pages, those that are divided already have a twin. */
  private static int place(int hash, int pages) {
    int low = Integer.highestOneBit(pages);
    int place = hash & (2 * low - 1);
    return place < pages ? place : hash & (low - 1);
  }

  /** Returns the key of a page in the state. */
  static byte[] stateKey(int number, byte[] key, int page) {
    Output to = new Output();
    to.number(number);
    to.bytes(key);
    to.number(page);
    return to.toBytes();
  }

  /** The rows of a key. */
  final class Bucket {
    private final byte[] key;
    private final Map<Integer, Page> loaded = new HashMap<>();
    private final boolean inState;
    private int pages = 1;
    private long distinct;
    /** How many rows there are in all, before the batch and after it. */
    final long totalBefore;
    private long total;

    private Bucket(byte[] key) {
      this.key = key;
      byte[] saved = entries.get(stateKey(HEAD));
      inState = saved != null;
      if (saved != null) {
        Input from = new Input(saved);
        total = from.number();
        distinct = from.number();
        pages = from.count();
        if (pages == 1) {
          loaded.put(0, new Page(from, false));
        }
      } else {
        loaded.put(0, new Page());
      }
      totalBefore = total;
    }

    private byte[] stateKey(int page) {
      return RowBuckets.stateKey(number, key, page);
    }

    long total() {
      return total;
    }

    private Page page(int place) {
      return loaded.computeIfAbsent(place, missing -> new Page(new Input(entries.get(stateKey(place))), true));
    }

    /** Returns all rows, with those that the batch has removed. */
    Iterable<KeptRow> all() {
      List<KeptRow> rows = new ArrayList<>();
      for (int i = 0; i < pages; i++) {
        rows.addAll(page(i).rows.values());
      }
      return rows;
    }

    void readAll() {
      for (int i = 0; i < pages; i++) {
        page(i);
      }
    }

    /** Applies the changes of a batch; returns the rows whose counts differ. */
    List<KeptRow> apply(Collection<KeptRow> changes) {
      List<KeptRow> changed = new ArrayList<>();
      for (KeptRow change : changes) {
        if (change.count == 0) {
          continue;
        }
        Page page = page(place(change.hashCode(), pages));
        KeptRow row = page.rows.get(change);
        if (row == null) {
          row = new KeptRow(change.bytes);
          page.add(row);
          distinct++;
        }
        row.count += change.count;
        if (row.count < 0) {
          throw new IllegalStateException("A row is retracted more often than a join has it");
        }
        row.changed = true;
        page.changed = true;
        total += change.count;
        changed.add(row);
      }
      return changed;
    }

    /** Removes rows that match nothing any more, among those that have been read. */
    void removeIf(Predicate<KeptRow> ended) {
      for (Page page : loaded.values()) {
        int had = page.rows.size();
        page.rows.values().removeIf(row -> {
          boolean ends = ended.test(row);
          total -= ends ? row.count : 0;
          return ends;
        });
        distinct += page.rows.size() - had;
        page.changed |= page.rows.size() < had;
      }
    }

    /** Writes what the batch has changed. */
    void write() {
      boolean changed = false;
      for (Page page : loaded.values()) {
        if (page.changed) {
          int had = page.rows.size();
          page.rows.values().removeIf(row -> row.count == 0);
          distinct += page.rows.size() - had;
          changed = true;
        }
      }
      if (!changed) {
        return;
      }
      while (distinct > (long) pages * pageSize) {
        divide();
      }
      while (pages > 1 && 2 * distinct < (long) (pages - 1) * pageSize) {
        merge();
      }
      if (pages > 1) {
        loaded.forEach((place, page) -> {
          if (page.changed) {
            Output to = new Output();
            page.save(to);
            entries.put(stateKey(place), to.toBytes());
          }
        });
      } else if (page(0).separate) {
        entries.remove(stateKey(0));
      }
      if (distinct > 0) {
        Output to = new Output();
        to.number(total);
        to.number(distinct);
        to.number(pages);
        if (pages == 1) {
          page(0).save(to);
        }
        entries.put(stateKey(HEAD), to.toBytes());
      } else if (inState) {
        entries.remove(stateKey(HEAD));
      }
    }

    private void divide() {
      Page from = page(pages - Integer.highestOneBit(pages));
      Page to = new Page();
      loaded.put(pages, to);
      int added = pages++;
      from.rows.values().removeIf(row -> {
        boolean moves = place(row.hashCode(), pages) == added;
        if (moves) {
          to.add(row);
        }
        return moves;
      });
      from.changed = true;
      to.changed = true;
    }

    private void merge() {
      int last = pages - 1;
      Page from = page(last);
      Page to = page(last - Integer.highestOneBit(last));
      from.rows.values().forEach(to::add);
      to.changed = true;
      loaded.remove(last);
      if (from.separate) {
        entries.remove(stateKey(last));
      }
      pages = last;
    }
  }

  /** Some rows of a key. */
  final class Page {
    private final Map<KeptRow, KeptRow> rows = new LinkedHashMap<>();
    /** Whether the state has an entry for it. */
    private final boolean separate;
    boolean changed;

    private Page() {
      separate = false;
    }

    private Page(Input from, boolean separate) {
      this.separate = separate;
      for (int left = from.count(); left > 0; left--) {
        KeptRow row = new KeptRow(from.bytes());
        row.before = row.count = from.number();
        if (counted) {
          row.matchesBefore = row.matches = from.number();
        }
        add(row);
      }
    }

    private void add(KeptRow row) {
      row.page = this;
      rows.put(row, row);
    }

    private void save(Output to) {
      to.number(rows.size());
      for (KeptRow row : rows.values()) {
        to.bytes(row.bytes);
        to.number(row.count);
        if (counted) {
          to.number(row.matches);
        }
      }
    }
  }
}
