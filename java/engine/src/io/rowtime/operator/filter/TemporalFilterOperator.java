package io.rowtime.operator.filter;

import io.rowtime.operator.spec.TemporalFilterSpec;
import io.rowtime.operator.spec.UpdatingGroupSpec;
import io.rowtime.state.StatefulOperators;
import io.rowtime.state.TaskOperator;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;

/** WHERE with conditions on the current time, as a function of DataFrames. */
public final class TemporalFilterOperator {
  private TemporalFilterOperator() {}

  /**
   * Returns what becomes of rows as time goes on.
   *
   * @param rows a streaming DataFrame; none of its columns may have Spark's event-time tag
   * @return the columns of a row, the times at which it enters and leaves, and {@link UpdatingGroupSpec#CHANGE}
   */
  public static Dataset<Row> filter(Dataset<Row> rows, TemporalFilterSpec spec) {
    StructType input = StatefulOperators.input(rows.schema());
    return StatefulOperators.run(rows, kept(spec), () -> operator(spec, input), output(spec, input));
  }

  static TaskOperator operator(TemporalFilterSpec spec, StructType input) {
    return spec.change() == null ? new AddedRows(spec, input) : new ChangedRowCounts(spec, input);
  }

  /** Returns the columns that state has of a row: its own, and then the times. */
  static List<String> kept(TemporalFilterSpec spec) {
    List<String> kept = new ArrayList<>(spec.columns());
    kept.addAll(spec.enters());
    kept.addAll(spec.leaves());
    return kept;
  }

  private static StructType output(TemporalFilterSpec spec, StructType input) {
    StructType output = new StructType();
    for (String column : spec.columns()) {
      output = output.add(input.apply(column));
    }
    int times = spec.enters().size() + spec.leaves().size();
    for (int i = 0; i < times; i++) {
      output = output.add("time" + i, DataTypes.TimestampType);
    }
    return output.add(UpdatingGroupSpec.CHANGE, DataTypes.LongType, false);
  }
}
