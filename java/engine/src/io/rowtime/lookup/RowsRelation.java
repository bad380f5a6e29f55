package io.rowtime.lookup;

import io.rowtime.spark.CountedBatch;
import org.apache.spark.rdd.RDD;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SQLContext;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.sources.BaseRelation;
import org.apache.spark.sql.sources.TableScan;
import org.apache.spark.sql.types.StructType;

/** A relation in a Spark plan whose rows are kept in Spark's binary format until they are released. */
abstract class RowsRelation extends BaseRelation implements TableScan, CountedBatch {
  protected final SparkSession spark;
  private final StructType schema;
  /** The rows that are kept, or null; guarded by this. */
  protected TableRows rows;

  RowsRelation(SparkSession spark, StructType schema) {
    this.spark = spark;
    this.schema = schema;
  }

  /** Returns the rows for the query that this thread is planning. */
  abstract TableRows current();

  /** Returns the relation as a DataFrame. */
  public final Dataset<Row> frame() {
    return spark.baseRelationToDataFrame(this);
  }

  /** Frees the memory. Later queries read the rows again. */
  public final synchronized void release() {
    if (rows != null) {
      rows.release();
      rows = null;
    }
  }

  @Override public final SQLContext sqlContext() {
    return spark.sqlContext();
  }

  @Override public final StructType schema() {
    return schema;
  }

  @Override public final boolean needConversion() {
    return false;
  }

  @Override public final synchronized long batchRows() {
    return rows == null ? Long.MAX_VALUE : rows.count();
  }

  /** Spark chooses a join strategy by this size. */
  @Override public long sizeInBytes() {
    return current().bytes();
  }

  /** Returns the size that Spark assumes for a relation of unknown size. */
  final long defaultSize() {
    return super.sizeInBytes();
  }

  @SuppressWarnings({"unchecked", "rawtypes"})
  @Override public final RDD<Row> buildScan() {
    return (RDD) current().rdd();
  }
}
