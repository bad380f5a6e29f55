package io.rowtime.operator.rank;

import io.rowtime.state.States;
import io.rowtime.state.values.Input;
import io.rowtime.state.values.KeySlots;
import io.rowtime.state.values.Output;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;

/**
 * The rows of partitions in order, with how often each is there. State has pages of rows for each partition, and a directory with the
 * last row of each page; a partition with few rows is one entry. A batch reads and writes the pages that it needs.
 */
public final class SortedPartitions {
  /** The maximum number of different rows in a page; tests use less. */
  public static int pageSize = 64;

  /** The number of a partition's directory among its pages. */
  static final long DIRECTORY = -1;

  private final Comparator<byte[]> order;
  private States.Entries entries;
  /** Of the current batch, by slot. */
  private KeySlots keys = new KeySlots();
  private final List<Partition> partitions = new ArrayList<>();

  /** @param order a total order */
  public SortedPartitions(Comparator<byte[]> order) {
    this.order = order;
  }

  public void attach(States.Entries to) {
    entries = to;
  }

  /** Receives rows in order. */
  public interface Reader {
    /** Returns whether it needs the next row. */
    boolean read(byte[] row, long count);
  }

  public Partition partition(byte[] key) {
    return partition(keys.slot(key));
  }

  Partition partition(UnsafeRow key) {
    return partition(keys.slot(key));
  }

  private Partition partition(int slot) {
    if (keys.created()) {
      partitions.add(new Partition(slot, keys.key(slot)));
    }
    return partitions.get(slot);
  }

  /** Writes what the batch has changed, and forgets it. */
  public void write() {
    partitions.forEach(Partition::write);
    partitions.clear();
    keys = new KeySlots();
  }

  static byte[] key(byte[] partition, long page) {
    Output key = new Output();
    key.bytes(partition);
    key.number(page);
    return key.toBytes();
  }

  /** The pages of a partition, in order. */
  public final class Partition {
    /** A small number that no other partition of the batch has. */
    final int slot;
    private final byte[] key;
    private final List<Page> pages = new ArrayList<>();
    private final boolean isInState;
    private long nextId;
    private boolean changed;

    private Partition(int slot, byte[] key) {
      this.slot = slot;
      this.key = key;
      byte[] saved = entries.get(key(key, DIRECTORY));
      isInState = saved != null;
      if (saved == null) {
        return;
      }
      Input from = new Input(saved);
      nextId = from.number();
      if (nextId == 0) {
        Page only = new Page(nextId++, null);
        only.load(from);
        pages.add(only);
        return;
      }
      int count = (int) from.number();
      for (int i = 0; i < count; i++) {
        pages.add(new Page(from.number(), from.bytes()));
      }
    }

    /** Adds a row, or takes it back if {@code times} is below 0. */
    public void add(byte[] row, long times) {
      if (times == 0) {
        return;
      }
      int place = place(row);
      if (place == pages.size()) {
        Page page = new Page(nextId++, row);
        page.isLoaded = true;
        pages.add(page);
      }
      Page page = pages.get(place);
      page.add(row, times);
      changed = true;
      if (page.rows().isEmpty()) {
        remove(place);
      } else if (page.rows.size() > pageSize) {
        pages.add(place + 1, page.split(nextId++));
      }
    }

    private void remove(int place) {
      Page page = pages.remove(place);
      if (page.isInState) {
        entries.remove(key(key, page.id));
      }
    }

    /** Returns the place of the page to which a row belongs; the number of pages if there is none. */
    private int place(byte[] row) {
      int low = 0;
      int high = pages.size() - 1;
      while (low < high) {
        int middle = (low + high) >>> 1;
        if (order.compare(pages.get(middle).last, row) < 0) {
          low = middle + 1;
        } else {
          high = middle;
        }
      }
      return low;
    }

    void read(Reader reader) {
      for (Page page : pages) {
        for (int i = 0; i < page.rows().size(); i++) {
          if (!reader.read(page.rows.get(i), page.counts.get(i))) {
            return;
          }
        }
      }
    }

    /** Reads rows in order, from the first one that is not before {@code from}, which need not be there. */
    public void readFrom(byte[] from, Reader reader) {
      int first = place(from);
      for (int place = first; place < pages.size(); place++) {
        Page page = pages.get(place);
        for (int i = place == first ? page.at(from) : 0; i < page.rows().size(); i++) {
          if (!reader.read(page.rows.get(i), page.counts.get(i))) {
            return;
          }
        }
      }
    }

    /** Reads the rows before {@code to}, the last one first. */
    public void readBack(byte[] to, Reader reader) {
      int last = Math.min(place(to), pages.size() - 1);
      for (int place = last; place >= 0; place--) {
        Page page = pages.get(place);
        for (int i = (place == last ? page.at(to) : page.rows().size()) - 1; i >= 0; i--) {
          if (!reader.read(page.rows.get(i), page.counts.get(i))) {
            return;
          }
        }
      }
    }

    /** Removes all rows but the first of the different ones. */
    void retain(int count) {
      int kept = 0;
      for (int place = 0; place < pages.size(); place++) {
        Page page = pages.get(place);
        int size = page.rows().size();
        if (kept + size > count) {
          page.truncate(count - kept);
          changed = true;
        }
        kept += page.rows.size();
        if (page.rows.isEmpty()) {
          remove(place--);
        }
      }
    }

    private void write() {
      if (!changed) {
        return;
      }
      byte[] directory = key(key, DIRECTORY);
      if (pages.isEmpty()) {
        if (isInState) {
          entries.remove(directory);
        }
        return;
      }
      Output to = new Output();
      if (pages.size() == 1) {
        Page only = pages.get(0);
        only.rows();
        if (only.isInState) {
          entries.remove(key(key, only.id));
        }
        to.number(0);
        only.save(to);
      } else {
        to.number(nextId);
        to.number(pages.size());
        for (Page page : pages) {
          to.number(page.id);
          to.bytes(page.last);
          page.write(key(key, page.id));
        }
      }
      entries.put(directory, to.toBytes());
    }

    /** Some rows in order, with how often each is there. */
    private final class Page {
      private final long id;
      /** The last row, or one that is not before it. */
      private byte[] last;
      private final List<byte[]> rows = new ArrayList<>();
      private final List<Long> counts = new ArrayList<>();
      /** Whether it has an entry of its own. */
      private boolean isInState;
      private boolean isLoaded;
      private boolean isChanged;

      Page(long id, byte[] last) {
        this.id = id;
        this.last = last;
      }

      List<byte[]> rows() {
        if (!isLoaded) {
          isInState = true;
          load(new Input(entries.get(key(key, id))));
        }
        return rows;
      }

      void load(Input from) {
        isLoaded = true;
        int size = (int) from.number();
        for (int i = 0; i < size; i++) {
          rows.add(from.bytes());
          counts.add(from.number());
        }
        last = rows.get(size - 1);
      }

      void add(byte[] row, long times) {
        isChanged = true;
        int at = at(row);
        if (at < rows.size() && order.compare(rows.get(at), row) == 0) {
          long count = counts.get(at) + times;
          if (count == 0) {
            rows.remove(at);
            counts.remove(at);
          } else {
            counts.set(at, count);
          }
        } else {
          rows.add(at, row);
          counts.add(at, times);
        }
        if (!rows.isEmpty()) {
          last = rows.get(rows.size() - 1);
        }
      }

      /** Returns the place of a row, or where it would be. */
      private int at(byte[] row) {
        int low = 0;
        int high = rows().size();
        while (low < high) {
          int middle = (low + high) >>> 1;
          if (order.compare(rows.get(middle), row) < 0) {
            low = middle + 1;
          } else {
            high = middle;
          }
        }
        return low;
      }

      void truncate(int size) {
        isChanged = true;
        rows.subList(size, rows.size()).clear();
        counts.subList(size, counts.size()).clear();
        if (size > 0) {
          last = rows.get(size - 1);
        }
      }

      /** Moves the later half to a new page. */
      Page split(long number) {
        Page later = new Page(number, last);
        later.isLoaded = true;
        int from = rows.size() / 2;
        later.rows.addAll(rows.subList(from, rows.size()));
        later.counts.addAll(counts.subList(from, counts.size()));
        later.isChanged = true;
        truncate(from);
        return later;
      }

      void save(Output to) {
        to.number(rows.size());
        for (int i = 0; i < rows.size(); i++) {
          to.bytes(rows.get(i));
          to.number(counts.get(i));
        }
      }

      void write(byte[] entry) {
        // A page that was a part of its partition's entry has none of its own yet.
        if (isChanged || isLoaded && !isInState) {
          Output to = new Output();
          save(to);
          entries.put(entry, to.toBytes());
        }
      }
    }
  }
}
