package io.rowtime.operators;

import io.rowtime.state.Blocks;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.streaming.MapState;
import org.apache.spark.sql.streaming.StatefulProcessorHandle;
import org.apache.spark.sql.streaming.TTLConfig;

/** Blocks in map state of a stateful processor of Spark's. */
public final class StateBlocks implements Blocks {
  private static final long serialVersionUID = 1L;
  private final MapState<Long, byte[]> state;

  /** @param name of the state; to be asked for when the processor begins */
  public StateBlocks(StatefulProcessorHandle handle, String name) {
    state = handle.getMapState(name, Encoders.LONG(), Encoders.BINARY(), TTLConfig.NONE());
  }

  @Override public byte[] get(long id) {
    return state.getValue(id);
  }

  @Override public void put(long id, byte[] block) {
    state.updateValue(id, block);
  }

  @Override public void remove(long id) {
    state.removeKey(id);
  }
}
