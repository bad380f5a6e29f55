package io.rowtime.operator.group;

import io.rowtime.state.States;
import io.rowtime.state.values.Input;
import io.rowtime.state.values.Output;
import io.rowtime.state.values.ValueType;
import io.rowtime.state.values.Values;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * How often groups have values, in order of the values. The state has pages of values for each group, and a directory with the first
 * and the last value of each page; a batch reads and writes those that it needs.
 */
final class SortedCounts {
  /** The maximum number of values in a page; tests use less. */
  static int pageSize = 128;

  private final int number;
  private final ValueType type;
  private States.Entries entries;
  /** Of the current batch, by group. */
  private final Map<ByteBuffer, Directory> directories = new HashMap<>();

  /** @param number tells it apart from others with the same entries */
  SortedCounts(int number, ValueType type) {
    this.number = number;
    this.type = type;
  }

  void attach(States.Entries to) {
    entries = to;
  }

  /** Adds a value to a group, or takes it back if {@code times} is below 0. */
  void add(byte[] group, Values values, int at, long times) {
    directory(group).add(values, at, times);
  }

  /** Returns whether a group has a value; then writes the least or the greatest one. */
  boolean extreme(byte[] group, boolean greatest, Values to, int at) {
    Directory directory = directory(group);
    if (directory.count == 0) {
      return false;
    }
    to.set(at, greatest ? directory.lasts : directory.firsts, greatest ? directory.count - 1 : 0);
    return true;
  }

  /** Writes what the batch has changed. */
  void write() {
    directories.values().forEach(Directory::write);
    directories.clear();
  }

  private Directory directory(byte[] group) {
    return directories.computeIfAbsent(ByteBuffer.wrap(group), key -> new Directory(group));
  }

  /** @param page the number of a page, or -1 for the directory */
  private byte[] key(byte[] group, long page) {
    Output key = new Output();
    key.number(number);
    key.bytes(group);
    key.number(page);
    return key.toBytes();
  }

  /** The pages of a group, in order. */
  private final class Directory {
    final byte[] group;
    int count;
    long[] ids = new long[4];
    final Values firsts = new Values(type, 4);
    final Values lasts = new Values(type, 4);
    private final Map<Long, Page> pages = new HashMap<>();
    private long nextId;
    private final boolean isInState;
    private boolean changed;

    Directory(byte[] group) {
      this.group = group;
      byte[] saved = entries.get(key(group, -1));
      isInState = saved != null;
      if (saved == null) {
        return;
      }
      Input from = new Input(saved);
      nextId = from.number();
      count = (int) from.number();
      ids = new long[count];
      for (int i = 0; i < count; i++) {
        ids[i] = from.number();
        firsts.load(i, from);
        lasts.load(i, from);
      }
    }

    void add(Values values, int at, long times) {
      if (times == 0) {
        return;
      }
      int place = place(values, at);
      if (place == count) {
        insert(place, new Page());
      }
      Page page = page(place);
      page.add(values, at, times);
      if (page.size == 0) {
        remove(place);
        return;
      }
      if (page.size > pageSize) {
        insert(place + 1, page.split());
        bounds(place + 1);
      }
      bounds(place);
    }

    /** Returns the place of the page to which a value belongs; {@code count} if there is no page. */
    private int place(Values values, int at) {
      int low = 0;
      int high = count - 1;
      while (low < high) {
        int middle = (low + high) >>> 1;
        if (lasts.compare(middle, values, at) < 0) {
          low = middle + 1;
        } else {
          high = middle;
        }
      }
      return low;
    }

    private Page page(int place) {
      return pages.computeIfAbsent(ids[place], id -> new Page(entries.get(key(group, id))));
    }

    private void insert(int place, Page page) {
      if (count == ids.length) {
        ids = Arrays.copyOf(ids, Math.max(4, count * 2));
      }
      System.arraycopy(ids, place, ids, place + 1, count - place);
      for (int i = count; i > place; i--) {
        firsts.set(i, firsts, i - 1);
        lasts.set(i, lasts, i - 1);
      }
      ids[place] = nextId++;
      pages.put(ids[place], page);
      count++;
      changed = true;
    }

    private void remove(int place) {
      count--;
      System.arraycopy(ids, place + 1, ids, place, count - place);
      for (int i = place; i < count; i++) {
        firsts.set(i, firsts, i + 1);
        lasts.set(i, lasts, i + 1);
      }
      changed = true;
    }

    /** Sets the first and the last value of a page. */
    private void bounds(int place) {
      Page page = page(place);
      if (changed || firsts.compare(place, page.values, 0) != 0 || lasts.compare(place, page.values, page.size - 1) != 0) {
        firsts.set(place, page.values, 0);
        lasts.set(place, page.values, page.size - 1);
        changed = true;
      }
    }

    void write() {
      pages.forEach((id, page) -> page.write(key(group, id)));
      if (count == 0 && isInState) {
        entries.remove(key(group, -1));
      } else if (count > 0 && changed) {
        Output to = new Output();
        to.number(nextId);
        to.number(count);
        for (int i = 0; i < count; i++) {
          to.number(ids[i]);
          firsts.save(i, to);
          lasts.save(i, to);
        }
        entries.put(key(group, -1), to.toBytes());
      }
    }
  }

  /** Some values in order, with how often the group has each. */
  private final class Page {
    int size;
    final Values values = new Values(type, 4);
    private long[] counts = new long[4];
    private final boolean isInState;
    private boolean changed;

    Page() {
      isInState = false;
    }

    Page(byte[] saved) {
      isInState = true;
      Input from = new Input(saved);
      size = (int) from.number();
      counts = new long[size];
      for (int i = 0; i < size; i++) {
        values.load(i, from);
        counts[i] = from.number();
      }
    }

    void add(Values from, int at, long times) {
      int place = place(from, at);
      changed = true;
      if (place < size && values.compare(place, from, at) == 0) {
        counts[place] += times;
        if (counts[place] == 0) {
          remove(place);
        }
        return;
      }
      if (size == counts.length) {
        counts = Arrays.copyOf(counts, Math.max(4, size * 2));
      }
      System.arraycopy(counts, place, counts, place + 1, size - place);
      for (int i = size; i > place; i--) {
        values.set(i, values, i - 1);
      }
      values.set(place, from, at);
      counts[place] = times;
      size++;
    }

    /** Returns the place of a value, or where it would be. */
    private int place(Values from, int at) {
      int low = 0;
      int high = size;
      while (low < high) {
        int middle = (low + high) >>> 1;
        if (values.compare(middle, from, at) < 0) {
          low = middle + 1;
        } else {
          high = middle;
        }
      }
      return low;
    }

    private void remove(int place) {
      size--;
      System.arraycopy(counts, place + 1, counts, place, size - place);
      for (int i = place; i < size; i++) {
        values.set(i, values, i + 1);
      }
    }

    /** Moves the greater half to a new page. */
    Page split() {
      Page greater = new Page();
      greater.changed = true;
      int from = size / 2;
      for (int i = from; i < size; i++) {
        greater.values.set(i - from, values, i);
      }
      greater.size = size - from;
      greater.counts = Arrays.copyOfRange(counts, from, size);
      size = from;
      return greater;
    }

    void write(byte[] key) {
      if (size == 0 && isInState) {
        entries.remove(key);
      } else if (size > 0 && changed) {
        Output to = new Output();
        to.number(size);
        for (int i = 0; i < size; i++) {
          values.save(i, to);
          to.number(counts[i]);
        }
        entries.put(key, to.toBytes());
      }
    }
  }
}
