package io.rowtime.lookup;

import org.apache.spark.SparkContext;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.StructType;

/**
 * A relation in a streaming plan whose rows are looked up anew for each micro-batch. Spark requests them when it plans
 * the micro-batch, on the thread whose local properties contain its number.
 */
public final class LookupRelation extends RowsRelation {
  /** The local property with the micro-batch that a thread plans: MicroBatchExecution.BATCH_ID_KEY. */
  private static final String BATCH = "streaming.sql.batchId";

  /** The local property with the query that a thread runs: StreamExecution.QUERY_ID_KEY. */
  private static final String QUERY = "sql.streaming.queryId";

  private final SnapshotProvider snapshots;

  private LookupRelation(SparkSession spark, StructType schema, SnapshotProvider snapshots) {
    super(spark, schema);
    this.snapshots = snapshots;
  }

  /**
   * Returns a relation for the plan of a streaming query.
   *
   * @param schema its columns: Spark's JSON of a StructType
   */
  public static LookupRelation of(SparkSession spark, String schema, SnapshotProvider snapshots) {
    return new LookupRelation(spark, (StructType) DataType.fromJson(schema), snapshots);
  }

  /** Returns the number of the micro-batch that this thread plans; -1 if there is none. */
  public static long batch(SparkContext spark) {
    String property = spark.getLocalProperty(BATCH);
    return property == null ? -1 : Long.parseLong(property);
  }

  /** Returns Spark's id of the query that this thread runs; empty if there is none. */
  public static String query(SparkContext spark) {
    String running = spark.getLocalProperty(QUERY);
    return running == null ? "" : running;
  }

  /** Returns the rows for the micro-batch that this thread plans. */
  @Override synchronized TableRows current() {
    long batch = batch(spark.sparkContext());
    String query = query(spark.sparkContext());
    String version = requirePresent(snapshots.version(query, batch));
    if (rows == null || !rows.version().equals(version)) {
      release();
      rows = TableRows.of(version, requirePresent(snapshots.rows(query, batch)));
    }
    return rows;
  }

  private <T> T requirePresent(T value) {
    if (value == null) {
      throw new IllegalStateException("A table cannot be read: " + snapshots.failure());
    }
    return value;
  }

  @Override public long sizeInBytes() {
    // Spark also asks when a query starts, before any micro-batch is planned.
    return spark.sparkContext().getLocalProperty(BATCH) == null ? defaultSize() : super.sizeInBytes();
  }
}
