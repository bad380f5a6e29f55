package io.rowtime.adapter;

import io.rowtime.api.SourceAdapter;
import io.rowtime.spark.MicroBatchSource;
import java.util.Map;
import java.util.Set;
import org.apache.spark.sql.connector.catalog.TableCapability;
import org.apache.spark.sql.connector.read.Batch;
import org.apache.spark.sql.connector.read.InputPartition;
import org.apache.spark.sql.connector.read.PartitionReaderFactory;
import org.apache.spark.sql.connector.read.streaming.MicroBatchStream;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;

/**
 * The data source {@code io.rowtime.adapter.AdapterSource} for {@code read} and {@code readStream}: the columns of an
 * adapter, and {@code _bound} (TIMESTAMP), which is NULL in data rows. Options: those of {@link AdapterSettings}, and
 * {@code rowtime.beginning}, the position at which a stream starts.
 */
public final class AdapterSource extends MicroBatchSource {
  public AdapterSource() {
    super("adapter");
  }

  /** Returns why there is no such source; null if there is one. */
  public static String missing(Map<String, String> options) {
    return new AdapterSettings(options).missing(SourceAdapter.class);
  }

  /** Returns the position at which a new query starts. */
  public static String beginning(Map<String, String> options, boolean earliest) {
    AdapterSettings settings = new AdapterSettings(options);
    SourceAdapter opened = settings.open(SourceAdapter.class);
    try {
      return Positions.initial(settings, opened, earliest);
    } finally {
      settings.close(opened);
    }
  }

  @Override public StructType inferSchema(CaseInsensitiveStringMap options) {
    return settings(options).schema().add("_bound", DataTypes.TimestampType, true);
  }

  @Override protected Set<TableCapability> capabilities() {
    return Set.of(TableCapability.MICRO_BATCH_READ, TableCapability.BATCH_READ);
  }

  @Override protected MicroBatchStream stream(CaseInsensitiveStringMap options) {
    return new AdapterStream(settings(options), options.get("rowtime.beginning"));
  }

  @Override protected Batch batch(CaseInsensitiveStringMap options) {
    AdapterSettings settings = settings(options);
    return new Batch() {
      @Override public InputPartition[] planInputPartitions() {
        SourceAdapter opened = settings.open(SourceAdapter.class);
        try {
          String from = Positions.initial(settings, opened, true);
          return new InputPartition[] {new Positions(from, Positions.latest(settings, opened, from))};
        } finally {
          settings.close(opened);
        }
      }

      @Override public PartitionReaderFactory createReaderFactory() {
        return new AdapterReaders(settings);
      }
    };
  }

  private static AdapterSettings settings(CaseInsensitiveStringMap options) {
    return new AdapterSettings(options.asCaseSensitiveMap());
  }
}
