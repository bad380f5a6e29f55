package io.rowtime.lookup;

import org.apache.spark.rdd.RDD;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SQLContext;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.sources.BaseRelation;
import org.apache.spark.sql.sources.TableScan;
import org.apache.spark.sql.types.StructType;

/**
 * The rows of a DataFrame, read once and kept until they are released. Spark's own cache belongs to all queries of a session:
 * they would read these rows wherever they read the same source.
 */
public final class KeptRelation extends BaseRelation implements TableScan {
  private final SparkSession spark;
  private final StructType schema;
  private final Dataset<Row> source;
  private TableRows rows;

  private KeptRelation(Dataset<Row> source) {
    this.spark = source.sparkSession();
    this.schema = source.schema();
    this.source = source;
  }

  /** The rows of a DataFrame. They are read when a query first needs them, in the thread that plans it. */
  public static KeptRelation of(Dataset<Row> source) {
    return new KeptRelation(source);
  }

  private synchronized TableRows rows() {
    if (rows == null) {
      rows = TableRows.of("", source);
    }
    return rows;
  }

  /** The rows as a DataFrame of the same session. */
  public Dataset<Row> frame() {
    return spark.baseRelationToDataFrame(this);
  }

  /** Frees the memory. */
  public synchronized void release() {
    if (rows != null) {
      rows.release();
      rows = null;
    }
  }

  @Override public SQLContext sqlContext() {
    return spark.sqlContext();
  }

  @Override public StructType schema() {
    return schema;
  }

  @Override public boolean needConversion() {
    return false;
  }

  @Override public long sizeInBytes() {
    return rows().bytes();
  }

  @SuppressWarnings({"unchecked", "rawtypes"})
  @Override public RDD<Row> buildScan() {
    return (RDD) rows().rdd();
  }
}
