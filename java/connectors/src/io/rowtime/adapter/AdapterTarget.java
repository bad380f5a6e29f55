package io.rowtime.adapter;

import io.rowtime.api.TargetAdapter;
import java.time.Instant;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.types.StructType;

/** Writes to an adapter, called from Python. The options are those of {@link AdapterSettings}. */
public final class AdapterTarget {
  private AdapterTarget() {}

  /** Returns why there is no such target; null if there is one. */
  public static String missing(Map<String, String> options) {
    return new AdapterSettings(options).missing(TargetAdapter.class);
  }

  /**
   * Writes rows to the adapter, in order.
   *
   * @param rows the rows, with the adapter's columns, in one partition
   * @param batch the batch number, or -1 if the rows are not a micro-batch
   * @return the number of rows
   */
  public static long write(Dataset<Row> rows, Map<String, String> options, long batch) {
    AdapterSettings settings = new AdapterSettings(options);
    StructType schema = rows.schema();
    org.apache.spark.sql.classic.Dataset<Row> frame = (org.apache.spark.sql.classic.Dataset<Row>) rows;
    List<Long> counts = frame.queryExecution().toRdd().toJavaRDD()
        .mapPartitions(part -> List.of(send(settings, schema, part, batch)).iterator()).collect();
    return counts.stream().mapToLong(Long::longValue).sum();
  }

  /** Passes a bound (milliseconds since 1970) to the adapter, if it accepts bounds. */
  public static void bound(Map<String, String> options, long millis) throws NoSuchMethodException {
    AdapterSettings settings = new AdapterSettings(options);
    if (!implementsMethod(settings, "bound", Instant.class)) {
      return;
    }
    TargetAdapter opened = settings.open(TargetAdapter.class);
    try {
      AdapterFault.guard(settings.label(), () -> {
        opened.bound(Instant.ofEpochMilli(millis));
        return null;
      });
    } finally {
      settings.close(opened);
    }
  }

  /**
   * Returns the last micro-batch that the adapter has of the writer that the options name; -1 if it has none, and null if
   * it cannot tell.
   */
  public static Long lastBatch(Map<String, String> options) throws NoSuchMethodException {
    AdapterSettings settings = new AdapterSettings(options);
    if (!implementsMethod(settings, "lastBatch")) {
      return null;
    }
    TargetAdapter opened = settings.open(TargetAdapter.class);
    try {
      return AdapterFault.guard(settings.label(), () -> opened.lastBatch().orElse(-1));
    } finally {
      settings.close(opened);
    }
  }

  private static boolean implementsMethod(AdapterSettings settings, String name, Class<?>... parameters)
      throws NoSuchMethodException {
    Class<?> type = settings.constructor(TargetAdapter.class).getDeclaringClass();
    return type.getMethod(name, parameters).getDeclaringClass() != TargetAdapter.class;
  }

  private static long send(AdapterSettings settings, StructType schema, Iterator<InternalRow> rows, long batch) {
    TargetAdapter opened = settings.open(TargetAdapter.class);
    try {
      AdapterInputRows given = new AdapterInputRows(schema, rows);
      try {
        AdapterFault.guard(settings.label(), () -> {
          opened.write(given, batch < 0 ? OptionalLong.empty() : OptionalLong.of(batch));
          return null;
        });
      } finally {
        given.rethrow();
      }
      return given.count();
    } finally {
      settings.close(opened);
    }
  }
}
