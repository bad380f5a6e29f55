package io.rowtime.lookup;

import java.util.List;
import org.apache.spark.rdd.RDD;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;

/**
 * A relation that reads the rows of a DataFrame once and keeps them until they are released. Spark's own cache is
 * shared by all queries of a session: any query that reads the same source would use it.
 */
public final class KeptRelation extends RowsRelation {
  private final Dataset<Row> source;

  private KeptRelation(Dataset<Row> source) {
    super(source.sparkSession(), source.schema());
    this.source = source;
  }

  /**
   * Returns a relation for a DataFrame, which is read when a query first needs it, on the thread that plans that query.
   */
  public static KeptRelation of(Dataset<Row> source) {
    return new KeptRelation(source);
  }

  /** Returns the number of rows. */
  public long count() {
    return current().count();
  }

  public RDD<UnsafeRow> rows() {
    return current().rdd();
  }

  /** Returns the rows, in the driver's memory. */
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
