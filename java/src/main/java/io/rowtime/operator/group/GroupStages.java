package io.rowtime.operator.group;

import io.rowtime.operator.Spec;
import io.rowtime.operator.Stage;
import io.rowtime.operator.Stages;
import io.rowtime.state.ReorderBuffer;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;

/** The stage that computes a GROUP BY. */
final class GroupStages {
  private GroupStages() {}

  static Stages of(Spec spec, StructType input) {
    List<Spec.Call> calls = spec.windows().get(0).calls();
    boolean started = spec.hop() != null || spec.group().gap() != null;
    boolean early = spec.hop() != null ? spec.hop().early() : spec.group().early();
    ReorderBuffer.Until until = started && spec.disordered() ? ReorderBuffer.Until.TIME : ReorderBuffer.Until.NOTHING;
    Stages stages = new Stages(spec, input, until, !early);
    // What comes out: the keys, the start of a window or a session, and the results.
    StructType output = new StructType();
    for (String key : spec.hop() != null ? spec.partition() : spec.group().keys()) {
      output = output.add(input.apply(key));
    }
    List<DataType> types = new ArrayList<>();
    if (started) {
      output = output.add(HopStage.START, DataTypes.TimestampType);
      types.add(DataTypes.TimestampType);
    }
    for (Spec.Call call : calls) {
      output = output.add(call.name(), call.type());
      types.add(call.type());
    }
    stages.add(stage(spec, calls, input), output, types);
    return stages;
  }

  private static Stage stage(Spec spec, List<Spec.Call> calls, StructType input) {
    return spec.hop() != null ? new HopStage(spec, calls, input)
        : spec.group().gap() != null ? new SessionStage(spec, calls, input) : new GroupStage(spec, calls, input);
  }
}
