package io.rowtime.operator.search;

import com.google.common.cache.Cache;
import com.google.common.cache.CacheBuilder;
import io.rowtime.jdbc.DatabaseTable;
import io.rowtime.jdbc.KeyedTable;
import io.rowtime.operator.spec.SearchKeySpec;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.types.StructType;

/**
 * The resources of one executor for one SEARCH_KEY of one query: connections, threads, and a cache of earlier results.
 */
final class Searcher {
  /** Connections that have been idle for this long are closed. */
  private static final long IDLE = TimeUnit.SECONDS.toNanos(60);

  /**
   * The searchers of this process, by the id of their operator. They expire, because an executor is never notified that
   * a query has ended.
   */
  private static final Cache<String, Searcher> ALL = CacheBuilder.newBuilder()
      .expireAfterAccess(Duration.ofHours(1))
      .<String, Searcher>removalListener(removed -> removed.getValue().close())
      .build();

  static {
    keep();
  }

  private final KeyedTable table;
  private final ThreadPoolExecutor pool;
  private final Cache<UnsafeRow, InternalRow[]> cache;

  private Searcher(DatabaseTable table, SearchKeySpec spec, StructType keys) {
    this.table = new KeyedTable(table, spec, keys);
    pool = new ThreadPoolExecutor(spec.capacity(), spec.capacity(), 60, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), threads("rowtime search_key"));
    pool.allowCoreThreadTimeOut(true);
    cache = spec.cacheTtl() == null ? null : CacheBuilder.newBuilder()
        .expireAfterWrite(Duration.of(spec.cacheTtl(), ChronoUnit.MICROS))
        .maximumWeight(spec.cacheRows())
        .<UnsafeRow, InternalRow[]>weigher((key, rows) -> Math.max(1, rows.length))
        .build();
  }

  // It runs as long as the process; closing a connection throws nothing.
  @SuppressWarnings("FutureReturnValueIgnored")
  private static void keep() {
    ScheduledExecutorService keeper = Executors.newSingleThreadScheduledExecutor(threads("rowtime search_key keeper"));
    keeper.scheduleWithFixedDelay(() -> {
      ALL.cleanUp();
      ALL.asMap().values().forEach(searcher -> searcher.table.closeIdle(IDLE));
    }, 10, 10, TimeUnit.SECONDS);
  }

  static Searcher of(String id, DatabaseTable table, SearchKeySpec spec, StructType keys) {
    return ALL.asMap().computeIfAbsent(id, any -> new Searcher(table, spec, keys));
  }

  private static ThreadFactory threads(String name) {
    return work -> {
      Thread thread = new Thread(work, name);
      thread.setDaemon(true);
      return thread;
    };
  }

  KeyedTable table() {
    return table;
  }

  /** Returns the threads that send statements, as many as may be sent at once. */
  ExecutorService pool() {
    return pool;
  }

  /** Returns the cached rows of a key, or null. */
  InternalRow[] cached(UnsafeRow key) {
    return cache == null ? null : cache.getIfPresent(key);
  }

  void keep(UnsafeRow key, InternalRow[] rows) {
    if (cache != null) {
      cache.put(key, rows);
    }
  }

  private void close() {
    pool.shutdown();
    table.closeIdle(0);
  }
}
