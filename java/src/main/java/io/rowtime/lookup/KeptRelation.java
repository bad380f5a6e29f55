package io.rowtime.lookup;

import java.util.List;
import org.apache.spark.rdd.RDD;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;

/**
 * The rows of a DataFrame, read once and kept until they are released. Spark's own cache belongs to all queries of a session:
 * they would read these rows wherever they read the same source.
 */
public final class KeptRelation extends RowsRelation {
  private final Dataset<Row> source;

  private KeptRelation(Dataset<Row> source) {
    super(source.sparkSession(), source.schema());
    this.source = source;
  }

  /** The rows of a DataFrame. They are read when a query first needs them, in the thread that plans it. */
  public static KeptRelation of(Dataset<Row> source) {
    return new KeptRelation(source);
  }

  /** How many rows there are. */
  public long count() {
    return current().count();
  }

  public RDD<UnsafeRow> rows() {
    return current().rdd();
  }

  /** The rows, in the memory of the driver. */
  public List<UnsafeRow> collect() {
    return rows().toJavaRDD().collect();
  }

  @Override synchronized TableRows current() {
    if (rows == null) {
      rows = TableRows.of("", source);
    }
    return rows;
  }
}
