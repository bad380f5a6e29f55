package io.rowtime.operator.hold;

import io.rowtime.state.StatefulOperators;
import java.util.List;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;

/** The Hold operator as a function of DataFrames, called from Python. */
public final class HoldOperator {
  private HoldOperator() {}

  /**
   * Holds rows back until the watermark of the query reaches their release time.
   *
   * @param rows a streaming DataFrame; none of its columns may have Spark's event-time tag
   * @param release the column with the time (TIMESTAMP) at which a row may pass; rows with NULL pass at once
   * @param named whether the rows are saved with the names of their columns: a query that goes on from them may have other columns
   * @return the same columns
   */
  public static Dataset<Row> hold(Dataset<Row> rows, String release, boolean named) {
    StructType schema = rows.schema();
    int index = schema.fieldIndex(release);
    if (!schema.apply(index).dataType().equals(DataTypes.TimestampType)) {
      throw new IllegalArgumentException("Column " + release + " is not a timestamp: " + schema.apply(index).dataType());
    }
    return StatefulOperators.run(rows, List.of(release), () -> new Hold(schema, index, named), schema);
  }
}
