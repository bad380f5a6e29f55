package io.rowtime.operator.over;

import io.rowtime.operator.ReorderBuffer;
import io.rowtime.operator.Stage;
import io.rowtime.operator.Stages;
import io.rowtime.operator.calls.Calls;
import io.rowtime.operator.spec.Arrivals.Arrival;
import io.rowtime.operator.spec.Call;
import io.rowtime.operator.spec.OverSpec;
import io.rowtime.operator.spec.Window;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.StructType;

/** Chooses the stages that evaluate the windows of OVER, and their order. */
final class OverStages {
  private OverStages() {}

  /** @param arrival how the rows of this query arrive, one of the cases of the spec */
  static Stages of(OverSpec spec, Arrival arrival, StructType input) {
    FramePlan plan = new FramePlan(spec);
    if (plan.needsWholePartitions()) {
      Stages stages = new Stages(buffer(spec, arrival, input, ReorderBuffer.Until.CLOSED), input, false);
      add(stages, spec.windows(), (outputs, schema) -> new WholeStage(spec, outputs, schema));
      return stages;
    }
    ReorderBuffer.Until until = plan.peers() ? ReorderBuffer.Until.PEERS
        : arrival.disordered() ? ReorderBuffer.Until.TIME : ReorderBuffer.Until.NOTHING;
    Stages stages = new Stages(buffer(spec, arrival, input, until), input, false);
    if (!plan.byTime().isEmpty()) {
      add(stages, plan.byTime(), (outputs, schema) -> new TimeStage(spec, plan.byTime(), outputs, schema));
    }
    for (List<Window> windows : plan.byRow()) {
      add(stages, windows,
          (outputs, schema) -> new RowStage(new RowPlan(spec, windows, outputs, schema, plan.grace())));
    }
    return stages;
  }

  private static ReorderBuffer buffer(OverSpec spec, Arrival arrival, StructType input, ReorderBuffer.Until until) {
    return new ReorderBuffer(input, new ReorderBuffer.Columns(spec.time(), spec.seq(), spec.closes()), spec.boundClock(),
        arrival.maxDisorder(), until);
  }

  /** Adds a stage, created from the names of its results and its input columns; its results are appended to those. */
  private static void add(Stages stages, List<Window> windows,
      BiFunction<List<String>, StructType, Stage> stage) {
    StructType input = stages.output();
    StructType output = input;
    List<String> names = new ArrayList<>();
    List<DataType> types = new ArrayList<>();
    for (Window window : windows) {
      for (Call call : window.calls()) {
        names.add(call.name());
        types.add(Calls.type(call));
        output = output.add(call.name(), Calls.type(call));
      }
    }
    stages.add(stage.apply(names, input), output, types);
  }
}
