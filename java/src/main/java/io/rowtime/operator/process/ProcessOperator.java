package io.rowtime.operator.process;

import io.rowtime.operator.ReorderBuffer;
import io.rowtime.operator.StagePipeline;
import io.rowtime.operator.Stages;
import io.rowtime.operator.spec.OperatorSpec;
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

/** User-defined functions over tables, as functions of DataFrames, called from Python. */
public final class ProcessOperator {
  private ProcessOperator() {}

  /**
   * Processes the rows of a stream.
   *
   * @param rows a streaming DataFrame; none of its columns may have Spark's event-time tag
   * @param spec a {@link ProcessSpec} as JSON
   * @return ROWTIME, the partition columns, and the function's columns; in order of ROWTIME
   * @throws IllegalArgumentException if the function cannot be loaded; the message gives the reason
   */
  public static Dataset<Row> process(Dataset<Row> rows, String spec) {
    ProcessSpec parsed = OperatorSpec.read(ProcessSpec.class, spec);
    Maker maker = new Maker(parsed, StatefulOperators.input(rows.schema()), Arguments.of(rows.sparkSession(), parsed));
    return StatefulOperators.run(rows, parsed.partition(), () -> new StagePipeline(maker.stages()),
        maker.columns().output());
  }

  /**
   * Processes the rows of a relation. After the last row of a partition, all of its timers fire.
   *
   * @param rows a DataFrame
   * @param spec a {@link ProcessSpec} as JSON
   * @return as for {@link #process}, in no particular order
   * @throws IllegalArgumentException if the function cannot be loaded; the message gives the reason
   */
  public static Dataset<Row> processAll(Dataset<Row> rows, String spec) {
    ProcessSpec parsed = OperatorSpec.read(ProcessSpec.class, spec);
    Maker maker = new Maker(parsed, rows.schema(), Arguments.of(rows.sparkSession(), parsed));
    List<String> order = new ArrayList<>(parsed.partition());
    order.add(parsed.time());
    if (parsed.seq() != null) {
      order.add(parsed.seq());
    }
    Column[] keys = Frames.columns(parsed.partition());
    Dataset<Row> partitioned = keys.length == 0 ? rows.repartition(1) : rows.repartition(keys);
    Dataset<InternalRow> processed = partitioned.sortWithinPartitions(Frames.columns(order))
        .as(InternalRows.encoder(rows.schema()))
        .mapPartitions(new ProcessedRelation(maker), InternalRows.encoder(maker.columns().output()));
    return processed.toDF();
  }

  /** Creates what a task needs. */
  record Maker(ProcessSpec spec, StructType input, Arguments arguments) implements Serializable {
    Maker {
      // Fail before the query starts if the class cannot be loaded; Python has checked functions in Python.
      if (spec.python() == null) {
        JavaProcessor.load(spec);
      }
    }

    ProcessColumns columns() {
      return new ProcessColumns(spec, input);
    }

    Processor processor(ProcessColumns columns) {
      return spec.python() == null ? new JavaProcessor(spec, columns, arguments.values()) : new PythonProcessor(spec, columns, arguments);
    }

    Stages stages() {
      ProcessColumns columns = columns();
      return ProcessOperator.stages(spec, input, columns, processor(columns));
    }
  }

  static Stages stages(ProcessSpec spec, StructType input, ProcessColumns columns, Processor processor) {
    ReorderBuffer buffer = new ReorderBuffer(input,
        new ReorderBuffer.Columns(spec.time(), spec.seq(), null), spec.boundClock(), spec.maxDisorder(),
        spec.disordered() ? ReorderBuffer.Until.TIME : ReorderBuffer.Until.NOTHING);
    Stages stages = new Stages(buffer, input, true);
    stages.add(new ProcessStage(spec, input, columns, processor), columns.output(), List.of());
    return stages;
  }
}
