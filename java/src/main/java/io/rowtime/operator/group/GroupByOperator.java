package io.rowtime.operator.group;

import io.rowtime.operator.Spec;
import io.rowtime.operator.StagePipeline;
import io.rowtime.spark.Frames;
import io.rowtime.spark.InternalRows;
import io.rowtime.state.StatefulOperators;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.plans.logical.Filter;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.types.StructType;
import scala.jdk.javaapi.CollectionConverters;

/** GROUP BY on streams as a function of DataFrames, for Python to call. */
public final class GroupByOperator {
  private GroupByOperator() {}

  /**
   * Groups the rows of a stream: one row for each group, once the bound has reached the time when it is complete.
   *
   * @param rows as for OVER; in no group where the time is NULL, which none may have
   * @param spec JSON as for OVER, with {@code hop} or {@code group}. The calls of its only window have no other
   *     conditions. {@code combine} are calls of one argument each by which rows that are alike in all other columns are
   *     combined before they are shuffled, COUNT one whose argument is 1 in each row; of what DISTINCT calls look at, each
   *     value is sent once then. {@code hop} is {@code slide}, {@code size} and {@code offset}, where a window
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
    PartialAggregate partial = new PartialAggregate(id, spec, rows.schema());
    LogicalPlan ordered = rows.select(Frames.columns(List.of(partial.input().fieldNames()))).queryExecution().analyzed();
    Expression input = new PartialAggregateInput(partial, new ArrayList<>(CollectionConverters.asJava(ordered.output())));
    Dataset<InternalRow> combined = Frames.of(rows.sparkSession(), new Filter(input, ordered))
        .as(InternalRows.encoder(partial.input()))
        .mapPartitions(new PartialAggregateOutput(id), InternalRows.encoder(partial.output()));
    return run(combined.toDF(), spec, parsed);
  }

  private static Dataset<Row> run(Dataset<Row> rows, String spec, Spec parsed) {
    StructType input = StatefulOperators.input(rows.schema());
    return StatefulOperators.run(rows, StatefulOperators.hash(parsed.partition()),
        () -> new StagePipeline(GroupStages.of(Spec.parse(spec), input)), GroupStages.of(parsed, input).output());
  }
}
