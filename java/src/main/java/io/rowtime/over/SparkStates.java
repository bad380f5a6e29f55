package io.rowtime.over;

import io.rowtime.operators.HeldRows;
import java.util.HashMap;
import java.util.Map;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.streaming.MapState;
import org.apache.spark.sql.streaming.StatefulProcessorHandle;
import org.apache.spark.sql.streaming.TTLConfig;

/** State of a stateful processor of Spark's. */
final class SparkStates implements States {
  private final StatefulProcessorHandle handle;
  private final Map<String, HeldRows.Blocks> blocks = new HashMap<>();
  private final Map<String, Entries> entries = new HashMap<>();

  SparkStates(StatefulProcessorHandle handle) {
    this.handle = handle;
  }

  @Override public HeldRows.Blocks blocks(String name) {
    return blocks.computeIfAbsent(name, missing -> new StateBlocks(
        handle.getMapState(name, Encoders.LONG(), Encoders.BINARY(), TTLConfig.NONE())));
  }

  @Override public Entries entries(String name) {
    return entries.computeIfAbsent(name, missing -> new StateEntries(
        handle.getMapState(name, Encoders.BINARY(), Encoders.BINARY(), TTLConfig.NONE())));
  }

  private static final class StateBlocks implements HeldRows.Blocks {
    private static final long serialVersionUID = 1L;
    private final MapState<Long, byte[]> state;

    StateBlocks(MapState<Long, byte[]> state) {
      this.state = state;
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

  private static final class StateEntries implements Entries {
    private final MapState<byte[], byte[]> state;

    StateEntries(MapState<byte[], byte[]> state) {
      this.state = state;
    }

    @Override public byte[] get(byte[] key) {
      return state.containsKey(key) ? state.getValue(key) : null;
    }

    @Override public void put(byte[] key, byte[] value) {
      state.updateValue(key, value);
    }

    @Override public void remove(byte[] key) {
      state.removeKey(key);
    }
  }
}
