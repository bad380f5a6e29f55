package io.rowtime.state;

import io.rowtime.exchange.Partitions;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.function.BiConsumer;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.execution.streaming.operators.stateful.transformwithstate.statefulprocessor.ImplicitGroupingKeyTracker;
import org.apache.spark.sql.streaming.MapState;
import org.apache.spark.sql.streaming.StatefulProcessorHandle;
import org.apache.spark.sql.streaming.TTLConfig;
import scala.Tuple2;
import scala.collection.Iterator;

/**
 * The state of a Spark stateful processor. It is stored in a single map, with keys that start with the number of a
 * name: Spark opens each map anew for each batch and partition, which takes longer than the work of a small batch.
 */
final class SparkStates implements States {
  private static final byte[] HEADER = {-1};
  private static final byte[] PARTITIONS = {-2};
  /** The key for data of a whole store; keys of rows are never negative. */
  private static final Integer NO_KEY = -1;

  private final StateNames names;
  private final MapState<byte[], byte[]> map;
  private boolean claimed;

  SparkStates(StatefulProcessorHandle handle, StateNames names) {
    this.names = names;
    map = handle.getMapState("state", ReusedEncoder.of(Encoders.BINARY()), ReusedEncoder.of(Encoders.BINARY()), TTLConfig.NONE());
  }

  /**
   * Records, with the state of this task, the number of partitions for which it is written; if it is recorded already,
   * checks that the number is the same. With another number, rows would have other keys, and the state of the old keys
   * would be lost.
   */
  void claim(int partitions) {
    if (claimed) {
      return;
    }
    Object key = ImplicitGroupingKeyTracker.getImplicitKeyOption().get();
    ImplicitGroupingKeyTracker.setImplicitKey(NO_KEY);
    try {
      byte[] made = map.getValue(PARTITIONS);
      if (made == null) {
        map.updateValue(PARTITIONS, ByteBuffer.allocate(Integer.BYTES).putInt(partitions).array());
      } else if (ByteBuffer.wrap(made).getInt() != partitions) {
        throw Partitions.wrongCount(ByteBuffer.wrap(made).getInt(), partitions);
      }
    } finally {
      ImplicitGroupingKeyTracker.setImplicitKey(key);
    }
    claimed = true;
  }

  /** Returns the data that the previous batch has saved for the start of the next one, or null. */
  byte[] header() {
    return BlockCompression.expand(map.getValue(HEADER));
  }

  void setHeader(byte[] header) {
    map.updateValue(HEADER, BlockCompression.compress(header));
  }

  @Override public Blocks blocks(String name) {
    return new StateBlocks(map, names.number(name));
  }

  @Override public Entries entries(String name) {
    return new StateEntries(map, names.number(name));
  }

  private static final class StateBlocks implements Blocks {
    private final MapState<byte[], byte[]> state;
    private final byte number;

    StateBlocks(MapState<byte[], byte[]> state, byte number) {
      this.state = state;
      this.number = number;
    }

    private byte[] key(long id) {
      return ByteBuffer.allocate(1 + Long.BYTES).put(number).putLong(id).array();
    }

    @Override public byte[] get(long id) {
      return BlockCompression.expand(state.getValue(key(id)));
    }

    @Override public void put(long id, byte[] block) {
      state.updateValue(key(id), BlockCompression.compress(block));
    }

    @Override public void remove(long id) {
      state.removeKey(key(id));
    }
  }

  private static final class StateEntries implements Entries {
    private final MapState<byte[], byte[]> state;
    private final byte number;

    StateEntries(MapState<byte[], byte[]> state, byte number) {
      this.state = state;
      this.number = number;
    }

    private byte[] prefixed(byte[] key) {
      return ByteBuffer.allocate(1 + key.length).put(number).put(key).array();
    }

    @Override public byte[] get(byte[] key) {
      return state.getValue(prefixed(key));
    }

    @Override public void put(byte[] key, byte[] value) {
      state.updateValue(prefixed(key), value);
    }

    @Override public void remove(byte[] key) {
      state.removeKey(prefixed(key));
    }

    @Override public void forEach(BiConsumer<byte[], byte[]> each) {
      Iterator<Tuple2<byte[], byte[]>> all = state.iterator();
      while (all.hasNext()) {
        Tuple2<byte[], byte[]> one = all.next();
        if (one._1()[0] == number) {
          each.accept(Arrays.copyOfRange(one._1(), 1, one._1().length), one._2());
        }
      }
    }
  }
}
