package io.rowtime.state;

import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiConsumer;

/** State in maps, which counts writes. */
public final class FakeStates implements States {
  private final Map<String, Map<Long, byte[]>> blocks = new TreeMap<>();
  private final Map<String, Map<ByteBuffer, byte[]>> entries = new TreeMap<>();
  public byte[] header;
  public long written;
  public long read;

  @Override public Blocks blocks(String name) {
    Map<Long, byte[]> map = blocks.computeIfAbsent(name, missing -> new HashMap<>());
    return new Blocks() {
      @Override public byte[] get(long id) {
        byte[] block = map.get(id);
        read += block.length;
        return block.clone();
      }

      @Override public void put(long id, byte[] block) {
        written += block.length;
        map.put(id, block.clone());
      }

      @Override public void remove(long id) {
        map.remove(id);
      }
    };
  }

  @Override public Entries entries(String name) {
    Map<ByteBuffer, byte[]> map = entries.computeIfAbsent(name, missing -> new HashMap<>());
    return new Entries() {
      @Override public byte[] get(byte[] key) {
        byte[] value = map.get(ByteBuffer.wrap(key));
        read += value == null ? 0 : value.length;
        return value == null ? null : value.clone();
      }

      @Override public void put(byte[] key, byte[] value) {
        written += value.length;
        map.put(ByteBuffer.wrap(key.clone()), value.clone());
      }

      @Override public void remove(byte[] key) {
        map.remove(ByteBuffer.wrap(key));
      }

      @Override public void forEach(BiConsumer<byte[], byte[]> each) {
        map.forEach((key, value) -> each.accept(key.array().clone(), value.clone()));
      }
    };
  }

  /** Returns the number of values, without the header. */
  public int size() {
    return blocks.values().stream().mapToInt(Map::size).sum() + entries.values().stream().mapToInt(Map::size).sum();
  }

  public long bytes() {
    return blocks.values().stream().flatMap(map -> map.values().stream()).mapToLong(block -> block.length).sum()
        + entries.values().stream().flatMap(map -> map.values().stream()).mapToLong(value -> value.length).sum();
  }

  @Override public String toString() {
    return "" + blocks.entrySet().stream().map(e -> e.getKey() + ": " + e.getValue().size()).toList()
        + entries.entrySet().stream().map(e -> e.getKey() + ": " + e.getValue().size()).toList();
  }
}
