package io.rowtime.operator.over;

import io.rowtime.operator.Spec;
import io.rowtime.operator.StagePipeline;
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
   * @param spec JSON: {@code partition} names columns; {@code time} and {@code watermark} are timestamp columns, the
   *     order of the stream and the same in the domain of the query's watermark, {@code seq} a BIGINT that orders rows
   *     of one time, {@code disordered} whether rows come out of order, {@code maxDisorder} how many microseconds below a
   *     row's watermark value rows of later batches can be (where it is not given: 0, or nothing is proved by rows that
   *     are disordered), {@code closes} a timestamp column, when the row's partition is complete; {@code windows}:
   *     {@code order} (columns with {@code descending}, {@code nullsFirst}), {@code rows}, {@code lower} and {@code
   *     upper} ({@code kind}, {@code offset} in microseconds, rows or units), {@code calls} ({@code name}, {@code
   *     function}, {@code args}, {@code constants}, {@code distinct}, {@code ignoreNulls}, {@code filter}, {@code
   *     type})
   * @return the same columns and one for each call
   * @throws UnsupportedOperationException where something asked for is not there yet, or would need state without limit
   */
  public static Dataset<Row> over(Dataset<Row> rows, String spec) {
    Spec parsed = Spec.parse(spec);
    List<String> names = new ArrayList<>(Arrays.asList(rows.schema().fieldNames()));
    parsed.windows().forEach(window -> window.calls().forEach(call -> names.add(call.name())));
    StructType input = StatefulOperators.input(rows.schema());
    return StatefulOperators.run(rows, StatefulOperators.hash(parsed.partition()),
        () -> new StagePipeline(OverStages.of(Spec.parse(spec), input)), OverStages.of(parsed, input).output())
        .select(Frames.columns(names));
  }
}
