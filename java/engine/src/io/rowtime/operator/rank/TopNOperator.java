package io.rowtime.operator.rank;

import io.rowtime.exchange.MapSideOutput;
import io.rowtime.operator.ReorderBuffer;
import io.rowtime.operator.StagePipeline;
import io.rowtime.operator.Stages;
import io.rowtime.operator.spec.Arrivals.Arrival;
import io.rowtime.operator.spec.BoundClock;
import io.rowtime.operator.spec.RenewedTopNSpec;
import io.rowtime.operator.spec.TopNSpec;
import io.rowtime.operator.spec.UpdatingTopNSpec;
import io.rowtime.spark.Frames;
import io.rowtime.state.StatefulOperators;
import io.rowtime.state.TaskOperator;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.plans.logical.Filter;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import scala.jdk.javaapi.CollectionConverters;

/** Top-N of streams as a function of DataFrames. */
public final class TopNOperator {
  private TopNOperator() {}

  /**
   * Emits the first rows of each partition of a stream, when the bound has reached the time at which it is complete.
   *
   * @param rows as for OVER
   * @param ordered whether the result must be in order of ROWTIME
   * @return the same columns, followed by one for each rank
   */
  public static Dataset<Row> topN(Dataset<Row> rows, TopNSpec spec, boolean ordered) {
    Arrival arrival = spec.arrivals().of(ordered);
    List<String> names = new ArrayList<>(Arrays.asList(rows.schema().fieldNames()));
    spec.ranks().forEach(rank -> names.add(rank.name()));
    StructType input = StatefulOperators.input(rows.schema());
    return Frames.select(StatefulOperators.run(first(rows, spec), spec.partition(),
        () -> new StagePipeline(stages(spec, arrival, input)), stages(spec, arrival, input).output()), names);
  }

  /**
   * Emits what changes among the first rows of each partition, which is never complete.
   *
   * @param rows a streaming DataFrame; none of its columns may have Spark's event-time tag
   * @return the columns that the spec names, the ranks, and {@link io.rowtime.operator.spec.UpdatingGroupSpec#CHANGE}
   */
  public static Dataset<Row> updates(Dataset<Row> rows, UpdatingTopNSpec spec) {
    StructType input = StatefulOperators.input(rows.schema());
    return StatefulOperators.run(rows, spec.partition(), () -> updating(spec, input), ChangedFirstRows.output(spec.columns(), spec.ranks(), input));
  }

  static TaskOperator updating(UpdatingTopNSpec spec, StructType input) {
    return AddedRowsTopN.fits(spec) ? new AddedRowsTopN(spec, input) : new UpdatingTopN(spec, input);
  }

  /**
   * Emits what changes among the first rows of each partition, which is never complete, but begins anew.
   *
   * @param rows as for {@link #updates(Dataset, UpdatingTopNSpec)}
   * @return as {@link #updates(Dataset, UpdatingTopNSpec)}
   */
  public static Dataset<Row> updates(Dataset<Row> rows, RenewedTopNSpec spec) {
    // Changes have no order of ROWTIME.
    Arrival arrival = spec.arrivals().of(false);
    StructType input = StatefulOperators.input(rows.schema());
    return StatefulOperators.run(rows, spec.partition(), () -> new StagePipeline(stages(spec, arrival, input)), stages(spec, arrival, input).output());
  }

  /** Returns the rows of each task that are among the first ones of their partition in that task. */
  private static Dataset<Row> first(Dataset<Row> rows, TopNSpec spec) {
    String id = UUID.randomUUID().toString();
    PartialTopN partial = new PartialTopN(id, spec, rows.schema());
    LogicalPlan plan = rows.queryExecution().analyzed();
    List<Expression> columns = new ArrayList<>(CollectionConverters.asJava(plan.output()));
    Filter first = new Filter(new PartialTopNInput(partial, partial.inputs(columns)), plan);
    return Frames.of(rows.sparkSession(), MapSideOutput.of(first, id, rows.schema(), rows.schema()));
  }

  static Stages stages(RenewedTopNSpec spec, Arrival arrival, StructType input) {
    ReorderBuffer buffer = new ReorderBuffer(input, new ReorderBuffer.Columns(spec.time(), null, spec.closes()), new BoundClock(spec.clock()),
        arrival.maxDisorder(), arrival.disordered() ? ReorderBuffer.Until.TIME : ReorderBuffer.Until.NOTHING);
    Stages stages = new Stages(buffer, input, !arrival.early());
    stages.add(new RenewedTopN(spec, input), ChangedFirstRows.output(spec.columns(), spec.ranks(), input), ChangedFirstRows.types(spec.ranks().size()));
    return stages;
  }

  static Stages stages(TopNSpec spec, Arrival arrival, StructType input) {
    ReorderBuffer buffer = new ReorderBuffer(input, new ReorderBuffer.Columns(spec.time(), spec.seq(), spec.closes()),
        new BoundClock(spec.clock()), arrival.maxDisorder(), ReorderBuffer.Until.NOTHING);
    StructType output = input;
    for (TopNSpec.Rank rank : spec.ranks()) {
      output = output.add(rank.name(), DataTypes.LongType);
    }
    List<DataType> types = Collections.nCopies(spec.ranks().size(), DataTypes.LongType);
    Stages stages = new Stages(buffer, input, !arrival.early());
    stages.add(new TopNStage(spec, input), output, types);
    return stages;
  }
}
