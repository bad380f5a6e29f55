package io.rowtime.operator.hold;

import io.rowtime.operator.spec.HoldSpec;
import io.rowtime.operator.spec.OperatorSpec;
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
   * @param spec a {@link HoldSpec} as JSON
   * @return the same columns
   */
  public static Dataset<Row> hold(Dataset<Row> rows, String spec) {
    HoldSpec read = OperatorSpec.read(HoldSpec.class, spec);
    String release = read.release();
    boolean named = read.named();
    StructType schema = rows.schema();
    int index = schema.fieldIndex(release);
    if (!schema.apply(index).dataType().equals(DataTypes.TimestampType)) {
      throw new IllegalArgumentException("Column " + release + " is not a timestamp: " + schema.apply(index).dataType());
    }
    return StatefulOperators.run(rows, List.of(release), () -> new Hold(schema, index, named), schema);
  }
}
