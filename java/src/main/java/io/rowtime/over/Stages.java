package io.rowtime.over;

import io.rowtime.state.Blocks;
import io.rowtime.state.ReorderBuffer;
import io.rowtime.state.States;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;

/** Which stages evaluate the windows of a query, in what order; and the columns between them. */
final class Stages {
  private final Spec spec;
  private final StructType input;
  private final List<Stage> stages = new ArrayList<>();
  private final List<StructType> schemas = new ArrayList<>();
  private final List<List<DataType>> results = new ArrayList<>();
  private final ReorderBuffer.Until until;

  Stages(Spec spec, StructType input) {
    this.spec = spec;
    this.input = input;
    schemas.add(input);
    if (spec.hop() != null || spec.group() != null) {
      List<Spec.Call> calls = spec.windows().get(0).calls();
      boolean groups = spec.hop() == null && spec.group().gap() == null;
      until = !groups && spec.disordered() ? ReorderBuffer.Until.TIME : ReorderBuffer.Until.NOTHING;
      stages.add(groups ? new GroupStage(spec, calls, input)
          : spec.hop() == null ? new SessionStage(spec, calls, input) : new HopStage(spec, calls, input));
      openGroups(calls, !groups);
      return;
    }
    Routes routes = new Routes(spec);
    if (routes.whole()) {
      until = ReorderBuffer.Until.CLOSED;
      stages.add(new WholeStage(spec, open(spec.windows()), input));
      return;
    }
    until = routes.peers() ? ReorderBuffer.Until.PEERS : spec.disordered() ? ReorderBuffer.Until.TIME : ReorderBuffer.Until.NOTHING;
    if (!routes.byTime().isEmpty()) {
      stages.add(new TimeStage(spec, routes.byTime(), open(routes.byTime()), schemas.get(schemas.size() - 2)));
    }
    for (List<Spec.Window> windows : routes.byRow()) {
      List<String> outputs = open(windows);
      stages.add(new RowStage(new RowPlan(spec, windows, outputs, schemas.get(schemas.size() - 2), routes.grace())));
    }
  }

  /** Adds the results of a stage to the columns; gives their names. */
  private List<String> open(List<Spec.Window> windows) {
    StructType schema = schema(schemas.size() - 1);
    List<String> names = new ArrayList<>();
    List<DataType> types = new ArrayList<>();
    for (Spec.Window window : windows) {
      for (Spec.Call call : window.calls()) {
        names.add(call.name());
        types.add(call.type());
        schema = schema.add(call.name(), call.type());
      }
    }
    schemas.add(schema);
    results.add(types);
    return names;
  }

  /** What comes out of a GROUP BY: its keys, the start of the window, and the results. */
  private void openGroups(List<Spec.Call> calls, boolean started) {
    StructType schema = new StructType();
    for (String key : spec.hop() != null ? spec.partition() : spec.group().keys()) {
      schema = schema.add(input.apply(key));
    }
    List<DataType> types = new ArrayList<>();
    if (started) {
      schema = schema.add(HopStage.START, DataTypes.TimestampType);
      types.add(DataTypes.TimestampType);
    }
    for (Spec.Call call : calls) {
      schema = schema.add(call.name(), call.type());
      types.add(call.type());
    }
    schemas.add(schema);
    results.add(types);
  }

  ReorderBuffer intake() {
    return new ReorderBuffer(input,
        new ReorderBuffer.Columns(spec.time(), spec.watermark(), spec.seq(), spec.closes()), spec.proves(), until);
  }

  /** Whether what comes out goes by the watermark alone, and not by what the rows prove as well. */
  boolean byWatermark() {
    return spec.hop() != null && !spec.hop().early() || spec.group() != null && !spec.group().early();
  }

  /** Names all state that may be needed. */
  void declare(States states) {
    states.blocks("intake");
    for (int i = 0; i < size(); i++) {
      get(i).declare(states(states, i));
    }
  }

  int size() {
    return stages.size();
  }

  Stage get(int stage) {
    return stages.get(stage);
  }

  /** The columns that a stage takes; of the number behind the last stage, all columns. */
  StructType schema(int stage) {
    return schemas.get(stage);
  }

  StructType output() {
    return schemas.get(schemas.size() - 1);
  }

  List<DataType> resultTypes(int stage) {
    return results.get(stage);
  }

  /** State of a stage's own: two of one kind may follow one another. */
  States states(States all, int stage) {
    return new States() {
      @Override public Blocks blocks(String name) {
        return all.blocks(name + stage);
      }

      @Override public Entries entries(String name) {
        return all.entries(name + stage);
      }
    };
  }
}
