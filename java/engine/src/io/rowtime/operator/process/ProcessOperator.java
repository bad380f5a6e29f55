package io.rowtime.operator.process;

import io.rowtime.operator.ReorderBuffer;
import io.rowtime.operator.StagePipeline;
import io.rowtime.operator.Stages;
import io.rowtime.operator.spec.Arrivals.Arrival;
import io.rowtime.operator.spec.BoundClock;
import io.rowtime.operator.spec.ProcessSpec;
import io.rowtime.spark.Frames;
import io.rowtime.spark.InternalRows;
import io.rowtime.state.StatefulOperators;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.types.StructType;

/** User-defined functions over tables, as a function of DataFrames. */
public final class ProcessOperator {
  private ProcessOperator() {}

  /**
   * Processes the rows of a stream or of a relation. After the last row of a partition of a relation, all of its timers fire; rows of a
   * relation without a time are left out.
   *
   * @param rows a DataFrame; if it is a stream, none of its columns may have Spark's event-time tag
   * @param arguments the values of the function's parameters, as constant expressions of Spark SQL
   * @param ordered whether the result must be in order of ROWTIME
   * @return ROWTIME, the partition columns, and the function's columns: for a stream in order of ROWTIME, for a relation in no
   *     particular order
   */
  public static Dataset<Row> process(Dataset<Row> rows, ProcessSpec spec, List<String> arguments, boolean ordered) {
    PythonCode code = spec.language() == ProcessSpec.Language.PYTHON ? TableFunctions.inPython(spec.body()) : null;
    StructType input = spec.isRelational() ? rows.schema() : StatefulOperators.input(rows.schema());
    Maker maker = new Maker(spec, input, Arguments.of(rows.sparkSession(), spec, arguments), code);
    return spec.isRelational() ? relation(rows, maker)
        : StatefulOperators.run(rows, spec.partition(), () -> new StagePipeline(maker.stages(ordered)), maker.columns().output());
  }

  private static Dataset<Row> relation(Dataset<Row> rows, Maker maker) {
    ProcessSpec spec = maker.spec();
    List<String> order = new ArrayList<>(spec.partition());
    order.add(spec.time());
    if (spec.seq() != null) {
      order.add(spec.seq());
    }
    Dataset<Row> timed = rows.filter(Frames.column(spec.time()).isNotNull());
    Column[] keys = Frames.columns(spec.partition());
    Dataset<Row> partitioned = keys.length == 0 ? timed.repartition(1) : timed.repartition(keys);
    Dataset<InternalRow> processed = partitioned.sortWithinPartitions(Frames.columns(order))
        .as(InternalRows.encoder(rows.schema()))
        .mapPartitions(new ProcessedRelation(maker), InternalRows.encoder(maker.columns().output()));
    return processed.toDF();
  }

  /**
   * Creates what a task needs.
   *
   * @param code the function, if it is in Python; else null
   */
  record Maker(ProcessSpec spec, StructType input, Arguments arguments, PythonCode code) implements Serializable {
    ProcessColumns columns() {
      return new ProcessColumns(spec, input);
    }

    Processor processor(ProcessColumns columns) {
      return code == null ? new JavaProcessor(spec, columns, arguments.values()) : new PythonProcessor(spec, code, columns, arguments);
    }

    Stages stages(boolean ordered) {
      ProcessColumns columns = columns();
      return ProcessOperator.stages(spec, spec.arrivals().of(ordered), input, columns, processor(columns));
    }
  }

  static Stages stages(ProcessSpec spec, Arrival arrival, StructType input, ProcessColumns columns, Processor processor) {
    ReorderBuffer buffer = new ReorderBuffer(input,
        new ReorderBuffer.Columns(spec.time(), spec.seq(), null), new BoundClock(spec.clock()), arrival.maxDisorder(),
        arrival.disordered() ? ReorderBuffer.Until.TIME : ReorderBuffer.Until.NOTHING);
    Stages stages = new Stages(buffer, input, true);
    stages.add(new ProcessStage(spec, input, columns, processor), columns.output(), List.of());
    return stages;
  }
}
