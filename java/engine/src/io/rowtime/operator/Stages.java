package io.rowtime.operator;

import io.rowtime.state.Blocks;
import io.rowtime.state.States;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.StructType;

/** The stages of an operator, in the order in which rows pass through them, and the columns between them. */
public final class Stages {
  private final ReorderBuffer buffer;
  private final boolean byWatermark;
  private final List<Stage> stages = new ArrayList<>();
  private final List<StructType> schemas = new ArrayList<>();
  private final List<List<DataType>> results = new ArrayList<>();

  /**
   * Creates an operator without stages.
   *
   * @param buffer the buffer in which rows wait before the first stage
   * @param byWatermark whether output depends only on the watermark, and not also on what the rows themselves prove
   */
  public Stages(ReorderBuffer buffer, StructType input, boolean byWatermark) {
    this.buffer = buffer;
    this.byWatermark = byWatermark;
    schemas.add(input);
  }

  /**
   * Adds a stage, whose input columns are those of {@link #output}.
   *
   * @param output the output columns of the stage
   * @param types the types of its results, which are the last columns, after those of the input rows
   */
  public void add(Stage stage, StructType output, List<DataType> types) {
    stages.add(stage);
    schemas.add(output);
    results.add(types);
  }

  public ReorderBuffer buffer() {
    return buffer;
  }

  public boolean byWatermark() {
    return byWatermark;
  }

  /** Declares all state that may be needed. */
  public void declare(States states) {
    states.blocks("reorder");
    for (int i = 0; i < size(); i++) {
      get(i).declare(states(states, i));
    }
  }

  public int size() {
    return stages.size();
  }

  public Stage get(int stage) {
    return stages.get(stage);
  }

  /** Returns the input columns of a stage. */
  public StructType schema(int stage) {
    return schemas.get(stage);
  }

  /** Returns the output columns of the last stage. */
  public StructType output() {
    return schemas.get(schemas.size() - 1);
  }

  public List<DataType> resultTypes(int stage) {
    return results.get(stage);
  }

  /** Returns a namespace for the state of one stage, because two stages of one kind may follow one another. */
  public States states(States all, int stage) {
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
