package io.rowtime.over;

import io.rowtime.spark.Frames;
import io.rowtime.spark.InternalRows;
import io.rowtime.state.StatefulOperators;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.plans.logical.Filter;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.functions;
import org.apache.spark.sql.types.StructType;
import scala.jdk.javaapi.CollectionConverters;

/** OVER on streams as a function of DataFrames, for Python to call. */
public final class OverOperators {
  private OverOperators() {}

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
   *     of one time, {@code disordered} whether rows come out of order, {@code proves} how many microseconds below a
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
    return run(rows, spec, parsed).select(columns(names.toArray(String[]::new)));
  }

  /**
   * Groups the rows of a stream: one row for each group, once the bound has reached the time when it is complete.
   *
   * @param rows as for {@link #over}; in no group where the time is NULL, which none may have
   * @param spec JSON as for {@link #over}, with {@code hop} or {@code group}. The calls of its only window have no other
   *     conditions. {@code combine} are calls of one argument each by which rows that are alike in all other columns are
   *     combined before they are shuffled, COUNT one whose argument is 1 in each row; of what DISTINCT calls look at, each value is sent once then. {@code hop} is {@code slide}, {@code size} and {@code offset}, where a window
   *     begins, all in microseconds, {@code clock}, the steps ({@code fn} SHIFT, FLOOR or CEIL, {@code millis}, {@code
   *     offset}) from the watermark to the bound of the rows, and {@code early}, see {@link Spec.Hop}; {@code partition}
   *     are then the keys beside the window. {@code group} is {@code keys} and {@code early}; {@code closes} tells when
   *     a row's group is complete.
   * @return the keys, for hopping windows their start ({@link HopStage#START}), and the calls
   */
  public static Dataset<Row> group(Dataset<Row> rows, String spec) {
    Spec parsed = Spec.parse(spec);
    if (parsed.combine().isEmpty()) {
      return run(rows, spec, parsed);
    }
    String id = UUID.randomUUID().toString();
    Combining combining = new Combining(id, spec, rows.schema());
    LogicalPlan ordered = rows.select(columns(combining.input().fieldNames())).queryExecution().analyzed();
    Expression absorb = new Absorb(combining, new ArrayList<>(CollectionConverters.asJava(ordered.output())));
    Dataset<InternalRow> combined = Frames.of(rows.sparkSession(), new Filter(absorb, ordered))
        .as(InternalRows.encoder(combining.input()))
        .mapPartitions(new Combiner(id), InternalRows.encoder(combining.output()));
    return run(combined.toDF(), spec, parsed);
  }

  private static Dataset<Row> run(Dataset<Row> rows, String spec, Spec parsed) {
    StructType input = StatefulOperators.input(rows.schema());
    String[] partition = parsed.partition().toArray(String[]::new);
    Column hash = partition.length == 0 ? functions.lit(0) : functions.hash(columns(partition));
    return StatefulOperators.run(rows, hash, new Bucket.Factory(spec, input), new Stages(parsed, input).output());
  }

  private static Column[] columns(String[] names) {
    return Arrays.stream(names).map(name -> functions.col("`" + name.replace("`", "``") + "`")).toArray(Column[]::new);
  }
}
