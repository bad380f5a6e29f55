package io.rowtime.operator.search;

import io.rowtime.jdbc.Faults;
import io.rowtime.jdbc.KeyedTable;
import io.rowtime.operator.spec.SearchKeySpec;
import java.sql.SQLException;
import java.sql.SQLTransientException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.spark.TaskContext;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;

/** Looks up the keys of one task: first in the executor's cache, the rest in batches, and retries missing ones. */
final class KeySearch {
  private static final InternalRow[] NONE = {};
  /**
   * How often a statement is sent to a database that does not answer before the task fails, and its core is free for
   * others.
   */
  private static final int ATTEMPTS = 4;
  private static final long FIRST_DELAY = 100;

  private final Searcher searcher;
  private final SearchKeySpec spec;
  private final String owner;
  private final SearchMetrics metrics;
  private final UnsafeProjection value;
  private final UnsafeProjection keyOf;
  private final ClassLoader classes = Thread.currentThread().getContextClassLoader();

  /**
   * @param owner a description of the table, for messages
   * @param value converts a fetched row to a row with the result's columns
   * @param keyOf extracts the key from a row with the result's columns, in the form in which it is looked up
   */
  KeySearch(Searcher searcher, SearchKeySpec spec, String owner, SearchMetrics metrics, UnsafeProjection value, UnsafeProjection keyOf) {
    this.searcher = searcher;
    this.spec = spec;
    this.owner = owner;
    this.metrics = metrics;
    this.value = value;
    this.keyOf = keyOf;
  }

  /** A statement that has been sent. */
  private record Sent(List<UnsafeRow> keys, KeyedTable.Search search, Future<List<InternalRow>> answer) {}

  /** Returns the rows of each key; the keys are distinct. */
  Map<UnsafeRow, InternalRow[]> find(Collection<UnsafeRow> keys) throws InterruptedException {
    Map<UnsafeRow, InternalRow[]> found = new HashMap<>();
    Set<UnsafeRow> asked = new LinkedHashSet<>();
    for (UnsafeRow key : keys) {
      InternalRow[] known = searcher.cached(key);
      if (known == null) {
        asked.add(key);
      } else {
        found.put(key, known);
      }
    }
    metrics.keys().add(keys.size());
    metrics.cacheHits().add(found.size());
    Set<UnsafeRow> missing = new LinkedHashSet<>(asked);
    for (int retry = 0; !missing.isEmpty() && retry <= spec.retries(); retry++) {
      if (retry > 0) {
        pause(TimeUnit.MICROSECONDS.toMillis(spec.delay()));
        metrics.retries().add(missing.size());
      }
      Map<UnsafeRow, List<InternalRow>> rows = lookUp(new ArrayList<>(missing));
      rows.forEach((key, some) -> found.put(key, some.toArray(InternalRow[]::new)));
      missing.removeAll(rows.keySet());
    }
    missing.forEach(key -> found.put(key, NONE));
    for (UnsafeRow key : asked) {
      if (spec.cacheMisses() || !missing.contains(key)) {
        searcher.keep(key, found.get(key));
      }
    }
    long misses = found.values().stream().filter(rows -> rows.length == 0).count();
    metrics.misses().add(misses);
    metrics.hits().add(keys.size() - misses);
    return found;
  }

  /** Returns the rows of those keys that have any, looking up each key once. */
  private Map<UnsafeRow, List<InternalRow>> lookUp(List<UnsafeRow> keys) throws InterruptedException {
    List<Sent> sent = new ArrayList<>();
    try {
      for (int i = 0; i < keys.size(); i += spec.batchSize()) {
        sent.add(send(keys.subList(i, Math.min(keys.size(), i + spec.batchSize()))));
      }
      Map<UnsafeRow, List<InternalRow>> found = new HashMap<>();
      for (Sent statement : sent) {
        Set<UnsafeRow> wanted = Set.copyOf(statement.keys());
        for (InternalRow row : answer(statement)) {
          UnsafeRow made = value.apply(row).copy();
          UnsafeRow key = keyOf.apply(made);
          // A database may treat keys as equal that differ here, such as 'a' and 'A'.
          if (wanted.contains(key)) {
            found.computeIfAbsent(key.copy(), any -> new ArrayList<>()).add(made);
          }
        }
      }
      return found;
    } finally {
      sent.stream().filter(statement -> !statement.answer().isDone()).forEach(KeySearch::giveUp);
    }
  }

  private Sent send(List<UnsafeRow> keys) {
    KeyedTable.Search search = searcher.table().search(keys);
    metrics.lookups().add(keys.size());
    metrics.statements().add(1L);
    return new Sent(keys, search, searcher.pool().submit(() -> {
      // The task's class loader has the driver's classes.
      Thread.currentThread().setContextClassLoader(classes);
      return search.run();
    }));
  }

  /**
   * Returns the result of a statement; if the database does not answer, it is sent again a few times, with increasing
   * delays.
   */
  private List<InternalRow> answer(Sent first) throws InterruptedException {
    Sent statement = first;
    for (int tries = 1;; tries++) {
      long begin = System.nanoTime();
      Exception fault;
      try {
        List<InternalRow> rows = statement.answer().get(spec.timeout(), TimeUnit.MICROSECONDS);
        metrics.nanos().add(System.nanoTime() - begin);
        return rows;
      } catch (TimeoutException e) {
        giveUp(statement);
        fault = new SQLTransientException("no answer within " + TimeUnit.MICROSECONDS.toMillis(spec.timeout()) + " ms");
      } catch (ExecutionException e) {
        fault = e.getCause() instanceof Exception cause ? cause : e;
      }
      metrics.nanos().add(System.nanoTime() - begin);
      if (!Faults.isTransient(fault)) {
        throw failed(fault, " refused the look-up: ");
      }
      if (tries == ATTEMPTS) {
        throw failed(fault, " does not answer: ");
      }
      pause(FIRST_DELAY << (tries - 1));
      metrics.retries().add(statement.keys().size());
      statement = send(statement.keys());
    }
  }

  private IllegalStateException failed(Exception fault, String what) {
    if (!(fault instanceof SQLException)) {
      return new IllegalStateException("SEARCH_KEY in the " + owner + " failed", fault);
    }
    String reason = Faults.of(fault).message().strip().split("\n")[0];
    return new IllegalStateException("SEARCH_KEY: the " + owner + what + reason);
  }

  private static void giveUp(Sent statement) {
    statement.answer().cancel(true);
    statement.search().cancel();
  }

  /** Sleeps, but returns when the task is killed. */
  private static void pause(long millis) throws InterruptedException {
    long until = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
    for (long left = millis; left > 0; left = TimeUnit.NANOSECONDS.toMillis(until - System.nanoTime())) {
      Thread.sleep(Math.min(left, 100));
      if (TaskContext.get() != null) {
        TaskContext.get().killTaskIfInterrupted();
      }
    }
  }
}
