package io.rowtime.operator.over;

import io.rowtime.operator.StagePipeline;
import io.rowtime.operator.spec.OperatorSpec;
import io.rowtime.operator.spec.OverSpec;
import io.rowtime.spark.Frames;
import io.rowtime.state.StatefulOperators;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.functions;
import org.apache.spark.sql.types.StructType;

/** OVER on streams as a function of DataFrames, for Python to call. */
public final class OverOperator {
  private OverOperator() {}

  /**
   * Evaluates analytic functions over the rows of a stream: all windows that share a PARTITION BY.
   *
   * <p>A row comes out once the frames of all its calls are certain: at once where they end at CURRENT ROW (as a RANGE:
   * the rows of the same time that came earlier) or before it; where a frame takes all rows of its time, or later ones,
   * when the bound is behind it. Within a partition of the result rows are in order of (time, seq), batch by batch.
   *
   * @param rows a streaming DataFrame; no column of it may carry Spark's event-time tag
   * @param spec an {@link OverSpec} as JSON
   * @return the same columns and one for each call
   * @throws UnsupportedOperationException if something asked for is not there yet, or would need state without limit
   */
  public static Dataset<Row> over(Dataset<Row> rows, String spec) {
    OverSpec parsed = OperatorSpec.read(OverSpec.class, spec);
    List<String> names = new ArrayList<>(Arrays.asList(rows.schema().fieldNames()));
    parsed.windows().forEach(window -> window.calls().forEach(call -> names.add(call.name())));
    StructType input = StatefulOperators.input(rows.schema());
    return StatefulOperators.run(rows, StatefulOperators.hash(parsed.partition()),
        () -> new StagePipeline(OverStages.of(parsed, input)), OverStages.of(parsed, input).output())
        .select(Frames.columns(names));
  }
}
