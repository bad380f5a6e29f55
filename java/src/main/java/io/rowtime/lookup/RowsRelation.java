package io.rowtime.lookup;

import org.apache.spark.rdd.RDD;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SQLContext;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.sources.BaseRelation;
import org.apache.spark.sql.sources.TableScan;
import org.apache.spark.sql.types.StructType;

/** A relation in a plan of Spark's whose rows are kept in Spark's binary form, until they are released. */
abstract class RowsRelation extends BaseRelation implements TableScan {
  protected final SparkSession spark;
  private final StructType schema;
  /** Those that are kept, or null; guarded by this. */
  protected TableRows rows;

  RowsRelation(SparkSession spark, StructType schema) {
    this.spark = spark;
    this.schema = schema;
  }

  /** The rows that a query has that is planned now, in the thread that plans it. */
  abstract TableRows current();

  /** The relation as a DataFrame. */
  public final Dataset<Row> frame() {
    return spark.baseRelationToDataFrame(this);
  }

  /** Frees the memory. A query that comes later reads the rows again. */
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

  /** By which Spark chooses how to join. */
  @Override public long sizeInBytes() {
    return current().bytes();
  }

  /** What Spark takes a relation for of which nobody knows how large it is. */
  final long defaultSize() {
    return super.sizeInBytes();
  }

  @SuppressWarnings({"unchecked", "rawtypes"})
  @Override public final RDD<Row> buildScan() {
    return (RDD) current().rdd();
  }
}
