package io.rowtime.operator.hold;

import io.rowtime.state.StatefulOperators;
import java.util.List;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;

/** Hold as a function of DataFrames, for Python to call. */
public final class HoldOperator {
  private HoldOperator() {}

  /**
   * Holds rows back until the watermark of the query reaches their release time.
   *
   * @param rows a streaming DataFrame; no column of it may carry Spark's event-time tag
   * @param release name of the column, a timestamp, that says when a row may pass; rows where it is null pass at once
   * @return the same columns
   */
  public static Dataset<Row> hold(Dataset<Row> rows, String release) {
    StructType schema = rows.schema();
    int index = schema.fieldIndex(release);
    if (!schema.apply(index).dataType().equals(DataTypes.TimestampType)) {
      throw new IllegalArgumentException("Column " + release + " is no timestamp: " + schema.apply(index).dataType());
    }
    return StatefulOperators.run(rows, StatefulOperators.hash(List.of(release)), () -> new Hold(schema, index), schema);
  }
}
