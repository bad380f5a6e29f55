package io.rowtime.over;

import io.rowtime.operators.HeldRows;
import io.rowtime.operators.StateBlocks;
import java.util.HashMap;
import java.util.Map;
import java.util.function.BiConsumer;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.streaming.MapState;
import org.apache.spark.sql.streaming.StatefulProcessorHandle;
import org.apache.spark.sql.streaming.TTLConfig;
import scala.Tuple2;
import scala.collection.Iterator;

/** State of a stateful processor of Spark's. */
final class SparkStates implements States {
  private final StatefulProcessorHandle handle;
  private final Map<String, HeldRows.Blocks> blocks = new HashMap<>();
  private final Map<String, Entries> entries = new HashMap<>();

  SparkStates(StatefulProcessorHandle handle) {
    this.handle = handle;
  }

  @Override public HeldRows.Blocks blocks(String name) {
    return blocks.computeIfAbsent(name, missing -> new StateBlocks(handle, name));
  }

  @Override public Entries entries(String name) {
    return entries.computeIfAbsent(name, missing -> new StateEntries(
        handle.getMapState(name, Encoders.BINARY(), Encoders.BINARY(), TTLConfig.NONE())));
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

    @Override public void forEach(BiConsumer<byte[], byte[]> each) {
      Iterator<Tuple2<byte[], byte[]>> all = state.iterator();
      while (all.hasNext()) {
        Tuple2<byte[], byte[]> one = all.next();
        each.accept(one._1(), one._2());
      }
    }
  }
}
