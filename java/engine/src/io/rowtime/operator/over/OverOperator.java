package io.rowtime.operator.over;

import io.rowtime.operator.StagePipeline;
import io.rowtime.operator.spec.Arrivals.Arrival;
import io.rowtime.operator.spec.OverSpec;
import io.rowtime.operator.spec.UpdatingOverSpec;
import io.rowtime.spark.Frames;
import io.rowtime.state.StatefulOperators;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.functions;
import org.apache.spark.sql.types.StructType;

/** OVER on streams as a function of DataFrames. */
public final class OverOperator {
  private OverOperator() {}

  /**
   * Evaluates analytic functions over the rows of a stream: all windows that share a PARTITION BY.
   *
   * <p>A row is emitted when the frames of all its calls are certain: at once if they end at CURRENT ROW (for RANGE:
   * with the peers that arrived earlier) or before it; if a frame contains all rows of the current time, or later ones,
   * when the bound has passed it. Within a partition, output rows are in order of (time, seq), batch by batch.
   *
   * @param rows a streaming DataFrame; none of its columns may have Spark's event-time tag
   * @param ordered whether the result must be in order of ROWTIME
   * @return the same columns, followed by one for each call
   * @throws UnsupportedOperationException if a call is not supported yet, or would need unbounded state
   */
  public static Dataset<Row> over(Dataset<Row> rows, OverSpec spec, boolean ordered) {
    Arrival arrival = spec.arrivals().of(ordered);
    List<String> names = new ArrayList<>(Arrays.asList(rows.schema().fieldNames()));
    spec.windows().forEach(window -> window.calls().forEach(call -> names.add(call.name())));
    StructType input = StatefulOperators.input(rows.schema());
    return Frames.select(StatefulOperators.run(rows, spec.partition(),
        () -> new StagePipeline(OverStages.of(spec, arrival, input)), OverStages.of(spec, arrival, input).output()), names);
  }

  /**
   * Emits what changes among the rows of partitions and their values.
   *
   * @param rows a streaming DataFrame; none of its columns may have Spark's event-time tag
   * @return the columns that the spec names, one for each call, and {@link io.rowtime.operator.spec.UpdatingGroupSpec#CHANGE}
   */
  public static Dataset<Row> updates(Dataset<Row> rows, UpdatingOverSpec spec) {
    StructType input = StatefulOperators.input(rows.schema());
    return StatefulOperators.run(rows, spec.partition(), () -> new UpdatingOver(spec, input), UpdatingOver.output(spec, input));
  }
}
