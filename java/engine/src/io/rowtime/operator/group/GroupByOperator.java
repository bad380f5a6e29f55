package io.rowtime.operator.group;

import io.rowtime.exchange.MapSideOutput;
import io.rowtime.operator.StagePipeline;
import io.rowtime.operator.spec.Arrivals.Arrival;
import io.rowtime.operator.spec.Call;
import io.rowtime.operator.spec.GroupSpec;
import io.rowtime.operator.spec.GroupingSpec;
import io.rowtime.operator.spec.HopSpec;
import io.rowtime.operator.spec.SessionWindowsSpec;
import io.rowtime.operator.spec.UpdatingGroupSpec;
import io.rowtime.spark.Frames;
import io.rowtime.state.StatefulOperators;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.plans.logical.Filter;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.types.StructType;
import scala.jdk.javaapi.CollectionConverters;

/** GROUP BY on streams as functions of DataFrames. */
public final class GroupByOperator {
  private GroupByOperator() {}

  /**
   * Groups the rows of a stream: emits one row per group, when the bound has reached the time at which the group is
   * complete.
   *
   * @param rows as for OVER
   * @param ordered whether the result must be in order of ROWTIME
   * @return the keys; the start of the window, or the time of the session's first row ({@link HopStage#START}), if there is one;
   *     and the results of the calls
   */
  public static Dataset<Row> group(Dataset<Row> rows, GroupingSpec spec, boolean ordered) {
    Arrival arrival = spec.arrivals().of(ordered);
    // A row without a time is in no window.
    Dataset<Row> timed = spec instanceof HopSpec hop ? rows.filter(rows.col(hop.time()).isNotNull()) : rows;
    if (spec.combine().isEmpty()) {
      return run(timed, spec, arrival);
    }
    // Only groups that close keep the values of DISTINCT calls.
    List<Call> calls = spec instanceof GroupSpec group ? group.calls() : List.of();
    return run(combined(timed, calls, spec.combine()), spec, arrival);
  }

  /**
   * Groups the rows of a stream by keys whose groups are never complete: emits a row per group that a micro-batch has changed, and
   * before it the row that it replaces.
   *
   * @param rows as for OVER
   * @return the keys, the results of the calls, and {@link UpdatingGroupSpec#CHANGE}
   */
  public static Dataset<Row> updates(Dataset<Row> rows, UpdatingGroupSpec spec) {
    Dataset<Row> given = spec.combine().isEmpty() ? rows : combined(rows, spec.calls(), spec.combine());
    StructType input = StatefulOperators.input(given.schema());
    return StatefulOperators.run(given, spec.keys(), () -> new UpdatingGroups(spec, input), UpdatingGroups.output(spec, input));
  }

  /**
   * Adds the start and the end of its session to each row.
   *
   * @param rows as for OVER; the time is never NULL
   * @param ordered whether the result must be in order of ROWTIME
   * @return the same columns, and the start ({@link HopStage#START}) and end ({@link GroupStages#END}) of the session,
   *     which has ended
   */
  public static Dataset<Row> sessionWindows(Dataset<Row> rows, SessionWindowsSpec spec, boolean ordered) {
    Arrival arrival = spec.arrivals().of(ordered);
    List<String> names = new ArrayList<>(List.of(rows.schema().fieldNames()));
    names.addAll(List.of(HopStage.START, GroupStages.END));
    StructType input = StatefulOperators.input(rows.schema());
    return Frames.select(StatefulOperators.run(rows, spec.keys(),
        () -> new StagePipeline(GroupStages.of(spec, arrival, input)), GroupStages.of(spec, arrival, input).output()), names);
  }

  /** Combines rows before the shuffle. */
  private static Dataset<Row> combined(Dataset<Row> rows, List<Call> calls, List<Call> combine) {
    String id = UUID.randomUUID().toString();
    PartialAggregate partial = new PartialAggregate(id, calls, combine, rows.schema());
    LogicalPlan ordered = Frames.select(rows, List.of(partial.input().fieldNames())).queryExecution().analyzed();
    Expression input = new PartialAggregateInput(partial, new ArrayList<>(CollectionConverters.asJava(ordered.output())));
    return Frames.of(rows.sparkSession(), MapSideOutput.of(new Filter(input, ordered), id, partial.input(), partial.output()));
  }

  private static Dataset<Row> run(Dataset<Row> rows, GroupingSpec spec, Arrival arrival) {
    StructType input = StatefulOperators.input(rows.schema());
    return StatefulOperators.run(rows, spec.partition(),
        () -> new StagePipeline(GroupStages.of(spec, arrival, input)), GroupStages.of(spec, arrival, input).output());
  }
}
