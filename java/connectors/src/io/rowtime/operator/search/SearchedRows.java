package io.rowtime.operator.search;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Queue;
import java.util.Set;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.BasePredicate;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.catalyst.expressions.JoinedRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;

/**
 * Joins the rows of a task with the rows that are found for them. Rows with equal keys follow one another, so a key is
 * looked up once, and only the rows for the next statements are kept.
 */
final class SearchedRows implements Iterator<InternalRow> {
  private static final int MAX_ROWS = 10_000;

  private final scala.collection.Iterator<InternalRow> rows;
  private final SearchKeyOperator.Task task;
  private final KeySearch search;
  private final UnsafeProjection output;
  private final BasePredicate condition;
  private final InternalRow nothing;
  private final JoinedRow joined = new JoinedRow();
  private final Queue<UnsafeRow> waiting = new ArrayDeque<>();
  private final Queue<UnsafeRow> ready = new ArrayDeque<>();
  private Map<UnsafeRow, InternalRow[]> found = Map.of();
  /** The key of the last row that was read; the next row may have the same. */
  private UnsafeRow last;
  private UnsafeRow next;

  SearchedRows(scala.collection.Iterator<InternalRow> rows, SearchKeyOperator.Task task, KeySearch search, UnsafeProjection output,
      BasePredicate condition, int width) {
    this.rows = rows;
    this.task = task;
    this.search = search;
    this.output = output;
    this.condition = condition;
    this.nothing = new GenericInternalRow(width);
  }

  @Override public boolean hasNext() {
    while (next == null) {
      if (!ready.isEmpty()) {
        next = ready.poll();
      } else if (!waiting.isEmpty()) {
        join(waiting.poll());
      } else if (rows.hasNext()) {
        read();
      } else {
        return false;
      }
    }
    return true;
  }

  @Override public InternalRow next() {
    if (!hasNext()) {
      throw new NoSuchElementException();
    }
    InternalRow row = next;
    next = null;
    return row;
  }

  /** Reads rows, and looks up their keys. */
  private void read() {
    Set<UnsafeRow> keys = new LinkedHashSet<>();
    Map<UnsafeRow, InternalRow[]> known = new HashMap<>();
    if (last != null && found.containsKey(last)) {
      known.put(last, found.get(last));
    }
    while (rows.hasNext() && keys.size() < task.keysAtOnce() && waiting.size() < MAX_ROWS) {
      UnsafeRow row = ((UnsafeRow) rows.next()).copy();
      waiting.add(row);
      UnsafeRow key = task.key(row);
      if (key != null && !known.containsKey(key) && !keys.contains(key)) {
        keys.add(key.copy());
      }
      if (key != null) {
        last = key.copy();
      }
    }
    if (!keys.isEmpty()) {
      try {
        known.putAll(search.find(new ArrayList<>(keys)));
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IllegalStateException("The look-up was interrupted", e);
      }
    }
    found = known;
  }

  private void join(UnsafeRow row) {
    UnsafeRow key = task.key(row);
    InternalRow[] matches = key == null ? new InternalRow[0] : found.get(key);
    for (InternalRow match : matches) {
      UnsafeRow made = output.apply(joined.apply(row, match));
      if (condition == null || condition.eval(made)) {
        ready.add(made.copy());
      }
    }
    if (ready.isEmpty() && task.isOuter()) {
      ready.add(output.apply(joined.apply(row, nothing)).copy());
    }
  }
}
