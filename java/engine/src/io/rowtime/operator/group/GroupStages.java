package io.rowtime.operator.group;

import io.rowtime.operator.ReorderBuffer;
import io.rowtime.operator.Stage;
import io.rowtime.operator.Stages;
import io.rowtime.operator.calls.Calls;
import io.rowtime.operator.spec.Arrivals.Arrival;
import io.rowtime.operator.spec.BoundClock;
import io.rowtime.operator.spec.Call;
import io.rowtime.operator.spec.GroupSpec;
import io.rowtime.operator.spec.GroupingSpec;
import io.rowtime.operator.spec.HopSpec;
import io.rowtime.operator.spec.RenewedGroupSpec;
import io.rowtime.operator.spec.SessionSpec;
import io.rowtime.operator.spec.SessionWindowsSpec;
import io.rowtime.operator.spec.UpdatingGroupSpec;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;

/** Creates the stage that computes a GROUP BY. */
final class GroupStages {
  /** The name of the column with the end of a session. */
  static final String END = "rowtime_end";

  private GroupStages() {}

  /** @param arrival how the rows of this query arrive, one of the cases of the spec */
  static Stages of(GroupingSpec spec, Arrival arrival, StructType input) {
    Stages stages = new Stages(buffer(spec, arrival, input), input, !arrival.early());
    // Output columns: the keys, the start of a window or a session, and the results.
    StructType output = new StructType();
    for (String key : spec.keys()) {
      output = output.add(input.apply(key));
    }
    List<DataType> types = new ArrayList<>();
    if (spec instanceof HopSpec || spec instanceof SessionSpec) {
      output = output.add(HopStage.START, DataTypes.TimestampType);
      types.add(DataTypes.TimestampType);
    }
    for (Call call : spec.calls()) {
      output = output.add(call.name(), Calls.type(call));
      types.add(Calls.type(call));
    }
    if (spec instanceof RenewedGroupSpec) {
      output = output.add(UpdatingGroupSpec.CHANGE, DataTypes.LongType, false);
      types.add(DataTypes.LongType);
    }
    stages.add(stage(spec, input), output, types);
    return stages;
  }

  /** Output columns: the input's, followed by the start and end of the session. */
  static Stages of(SessionWindowsSpec spec, Arrival arrival, StructType input) {
    ReorderBuffer.Columns columns = new ReorderBuffer.Columns(spec.time(), null, spec.closes());
    Stages stages = new Stages(buffer(input, columns, spec.clock(), arrival.maxDisorder(), arrival.disordered()), input, !arrival.early());
    StructType output = input.add(HopStage.START, DataTypes.TimestampType).add(END, DataTypes.TimestampType);
    stages.add(new SessionWindowsStage(spec, input), output, List.of(DataTypes.TimestampType, DataTypes.TimestampType));
    return stages;
  }

  private static Stage stage(GroupingSpec spec, StructType input) {
    if (spec instanceof HopSpec hop) {
      return new HopStage(hop, input);
    }
    if (spec instanceof RenewedGroupSpec groups) {
      return new RenewedGroups(groups, input);
    }
    return spec instanceof SessionSpec session ? new SessionStage(session, input) : new GroupStage((GroupSpec) spec, input);
  }

  /** Windows, sessions and groups that begin anew need rows in order of time; other groups accept any order. */
  private static ReorderBuffer buffer(GroupingSpec spec, Arrival arrival, StructType input) {
    if (spec instanceof HopSpec hop) {
      return buffer(input, new ReorderBuffer.Columns(hop.time(), null, null), hop.clock(), arrival.maxDisorder(), arrival.disordered());
    }
    if (spec instanceof SessionSpec session) {
      return buffer(input, new ReorderBuffer.Columns(session.time(), null, session.closes()),
          session.clock(), arrival.maxDisorder(), arrival.disordered());
    }
    if (spec instanceof RenewedGroupSpec groups) {
      return buffer(input, new ReorderBuffer.Columns(groups.time(), null, groups.closes()), groups.clock(), arrival.maxDisorder(), arrival.disordered());
    }
    GroupSpec group = (GroupSpec) spec;
    return buffer(input, new ReorderBuffer.Columns(group.time(), null, group.closes()), group.clock(), arrival.maxDisorder(), false);
  }

  private static ReorderBuffer buffer(StructType input, ReorderBuffer.Columns columns, List<BoundClock.ClockStep> clock, Long maxDisorder,
      boolean disordered) {
    return new ReorderBuffer(input, columns, new BoundClock(clock), maxDisorder, disordered ? ReorderBuffer.Until.TIME : ReorderBuffer.Until.NOTHING);
  }
}
