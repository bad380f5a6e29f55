package io.rowtime.operator.search;

import com.google.common.cache.Cache;
import com.google.common.cache.CacheBuilder;
import io.rowtime.lookup.KeptRelation;
import io.rowtime.lookup.SnapshotProvider;
import io.rowtime.operator.spec.SearchFilesSpec;
import io.rowtime.spark.Frames;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.spark.SparkContext;
import org.apache.spark.rdd.RDD;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.catalyst.plans.logical.LocalRelation;
import org.apache.spark.sql.catalyst.types.DataTypeUtils;
import org.apache.spark.sql.functions;
import org.apache.spark.sql.types.StructType;
import scala.Option;
import scala.jdk.javaapi.CollectionConverters;

/**
 * SEARCH_KEY of a table of files, for one query. For each micro-batch it collects the distinct keys on the driver,
 * reads once the files of the table's current version that may contain them, and joins the rows with the result.
 */
final class FileSearch {
  /**
   * A micro-batch with more keys reads the table without filtering: nearly every file contains one, and the driver
   * could not hold them.
   */
  private static final int MAX_KEYS = 1_000_000;

  private final SearchFilesSpec spec;
  private final String condition;
  private final SnapshotProvider table;
  private final SparkSession session;
  private final StructType found;
  private final StructType input;
  private final SearchMetrics metrics;
  private final Cache<Known, InternalRow[]> cache;
  /** The result for the last micro-batch, if the driver does not keep it as rows. */
  private KeptRelation last;

  /**
   * @param condition a condition over the columns of both, as Spark SQL; null if the keys are the whole condition
   * @param session the session in which the table is read and joined
   * @param found the columns of the table that are returned
   * @param input the columns of the input rows
   */
  FileSearch(SearchFilesSpec spec, String condition, SnapshotProvider table, SparkSession session, StructType found, StructType input, SearchMetrics metrics) {
    this.spec = spec;
    this.condition = condition;
    this.table = table;
    this.session = session;
    this.found = found;
    this.input = input;
    this.metrics = metrics;
    CacheBuilder<Known, InternalRow[]> builder = CacheBuilder.newBuilder().maximumWeight(spec.cacheRows())
        .weigher((key, rows) -> Math.max(1, rows.length));
    this.cache = (spec.cacheTtl() == null ? builder : builder.expireAfterWrite(Duration.of(spec.cacheTtl(), ChronoUnit.MICROS))).build();
  }

  /** A key in a version of the table; with a time-to-live, in any version. */
  private record Known(String version, UnsafeRow key) {}

  SparkContext context() {
    return session.sparkContext();
  }

  boolean isKey(String column) {
    return spec.keys().contains(column);
  }

  /**
   * Returns the rows of a micro-batch joined with the rows that are found for them: the columns of both.
   *
   * @param rows the rows after a shuffle, because they are read twice
   * @param query Spark's id of the query; {@code batch} is the number of its micro-batch, as for {@link SnapshotProvider}
   */
  synchronized RDD<InternalRow> join(RDD<InternalRow> rows, String query, long batch) {
    if (last != null) {
      last.release();
      last = null;
    }
    Set<UnsafeRow> keys = new HashSet<>(rows.toJavaRDD().mapPartitions(new KeysOfTask(input, spec.keys(), MAX_KEYS)).collect());
    metrics.keys().add(keys.size());
    Dataset<Row> matches = keys.isEmpty() ? local(List.of()) : keys.size() > MAX_KEYS ? all(keys, query, batch) : matches(keys, query, batch);
    Dataset<Row> asking = ((org.apache.spark.sql.classic.SparkSession) session).internalCreateDataFrame(rows, input, false);
    Column on = condition == null ? functions.lit(true) : functions.expr(condition);
    for (int i = 0; i < spec.keys().size(); i++) {
      on = on.and(Frames.column(spec.keys().get(i)).equalTo(Frames.column(spec.searched().get(i))));
    }
    List<String> columns = new ArrayList<>(Arrays.asList(input.fieldNames()));
    columns.addAll(Arrays.asList(found.fieldNames()));
    return asking.join(matches, on, spec.joinType().name()).select(Frames.columns(columns)).queryExecution().toRdd();
  }

  /** Returns the rows that have one of the keys, and possibly others. */
  private Dataset<Row> matches(Set<UnsafeRow> keys, String query, long batch) {
    String version = requirePresent(table.version(query, batch));
    boolean versioned = spec.cacheTtl() == null;
    // A table of unknown version may have changed.
    boolean caches = !versioned || !version.isEmpty();
    List<InternalRow> rows = new ArrayList<>();
    Set<UnsafeRow> asked = new HashSet<>();
    long hits = 0;
    for (UnsafeRow key : keys) {
      InternalRow[] known = caches ? cache.getIfPresent(new Known(versioned ? version : "", key)) : null;
      if (known == null) {
        asked.add(key);
      } else {
        rows.addAll(Arrays.asList(known));
        hits += known.length > 0 ? 1 : 0;
      }
    }
    metrics.cacheHits().add((long) keys.size() - asked.size());
    Dataset<Row> all = local(rows);
    if (!asked.isEmpty()) {
      KeptRelation kept = read(asked, query, batch);
      if (kept.count() <= spec.cacheRows()) {
        Map<UnsafeRow, List<InternalRow>> byKey = byKey(kept, asked);
        kept.release();
        hits += byKey.size();
        byKey.values().forEach(rows::addAll);
        for (UnsafeRow key : asked) {
          List<InternalRow> some = byKey.getOrDefault(key, List.of());
          if (caches && (spec.cacheMisses() || !some.isEmpty())) {
            cache.put(new Known(versioned ? version : "", key), some.toArray(InternalRow[]::new));
          }
        }
        all = local(rows);
      } else {
        last = kept;
        hits += distinctKeys(kept, asked);
        all = rows.isEmpty() ? kept.frame() : kept.frame().union(all);
      }
    }
    metrics.hits().add(hits);
    metrics.misses().add(keys.size() - hits);
    return all;
  }

  /** Returns all rows of the table. */
  private Dataset<Row> all(Set<UnsafeRow> keys, String query, long batch) {
    metrics.lookups().add(keys.size());
    metrics.statements().add(1L);
    return requirePresent(table.rows(query, batch));
  }

  private KeptRelation read(Set<UnsafeRow> asked, String query, long batch) {
    long begin = System.nanoTime();
    Dataset<Row> rows = requirePresent(table.rows(query, batch));
    List<Column> columns = spec.searched().stream().map(Frames::column).toList();
    KeptRelation kept = KeptRelation.of(rows.filter(KeyRanges.of(asked, KeyProjection.schema(input, spec.keys()), columns)));
    kept.count();
    metrics.lookups().add(asked.size());
    metrics.statements().add(1L);
    metrics.nanos().add(System.nanoTime() - begin);
    return kept;
  }

  private Map<UnsafeRow, List<InternalRow>> byKey(KeptRelation kept, Set<UnsafeRow> asked) {
    UnsafeProjection keyOf = KeyProjection.projection(found, spec.searched());
    Map<UnsafeRow, List<InternalRow>> rows = new HashMap<>();
    for (UnsafeRow row : kept.collect()) {
      UnsafeRow key = keyOf.apply(row);
      if (asked.contains(key)) {
        rows.computeIfAbsent(key.copy(), any -> new ArrayList<>()).add(row);
      }
    }
    return rows;
  }

  private long distinctKeys(KeptRelation kept, Set<UnsafeRow> asked) {
    Set<UnsafeRow> there = new HashSet<>(kept.rows().toJavaRDD().map(row -> (InternalRow) row)
        .mapPartitions(new KeysOfTask(found, spec.searched(), Integer.MAX_VALUE - 1)).collect());
    there.retainAll(asked);
    return there.size();
  }

  private Dataset<Row> local(Collection<InternalRow> rows) {
    List<Attribute> attributes = new ArrayList<>(CollectionConverters.asJava(DataTypeUtils.toAttributes(found)));
    return Frames.of(session, new LocalRelation(CollectionConverters.asScala(attributes).toSeq(), CollectionConverters.asScala(rows).toSeq(), false,
        Option.empty()));
  }

  private <T> T requirePresent(T value) {
    if (value == null) {
      throw new IllegalStateException("A table cannot be read: " + table.failure());
    }
    return value;
  }

  /** Spark's plans show this text. */
  @Override public String toString() {
    return String.join(", ", spec.searched());
  }
}
