package io.rowtime.operator.rank;

import io.rowtime.aggregate.RankFunction;
import io.rowtime.operator.OutputBatch;
import io.rowtime.operator.Stage;
import io.rowtime.operator.spec.RenewedTopNSpec;
import io.rowtime.state.KeyColumns;
import io.rowtime.state.KeyTimers;
import io.rowtime.state.Rows;
import io.rowtime.state.States;
import io.rowtime.state.values.Input;
import io.rowtime.state.values.Output;
import java.nio.ByteBuffer;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.types.StructType;

/**
 * Top-N of partitions that are never complete, with STATE_TTL: the life of a partition ends when no row has come for that long. For each
 * life that a micro-batch changes, it emits what has changed among its first rows. Those of a life that has ended are never retracted; the
 * next row of the partition begins another life, with nothing of the earlier one.
 *
 * <p>Rows arrive in order of time, so only the last life of a partition can change. State has its first rows, the time of its last row,
 * and a timer, until the bound says that every further row would begin another life. Memory contains the partitions of one micro-batch.
 */
final class RenewedTopN implements Stage {
  private final RenewedTopNSpec spec;
  private final UnsafeProjection partition;
  private final UnsafeProjection columns;
  private final int closes;
  private final List<RankFunction> ranks;
  private final RankOrder order;
  private final SortedPartitions partitions;
  private final KeyTimers ends = new KeyTimers();
  /** By partition: the time of its last row, and the watermark at which its life ends. */
  private States.Entries lives;
  /** What a batch changes. */
  private ChangedFirstRows changes;

  RenewedTopN(RenewedTopNSpec spec, StructType schema) {
    this.spec = spec;
    partition = KeyColumns.of(spec.partition(), schema);
    columns = KeyColumns.of(spec.columns(), schema);
    closes = schema.fieldIndex(spec.closes());
    ranks = ChangedFirstRows.functions(spec.ranks());
    order = new RankOrder(spec.order(), spec.time(), ChangedFirstRows.kept(spec.columns(), schema));
    partitions = new SortedPartitions(order);
  }

  @Override public void declare(States to) {
    to.entries("partitions");
    to.entries("lives");
    to.blocks("ends");
  }

  @Override public void open(States to, Input from) {
    ends.open(to.blocks("ends"), from);
    attachEntries(to);
  }

  @Override public void attach(States to) {
    ends.attach(to.blocks("ends"));
    attachEntries(to);
  }

  private void attachEntries(States to) {
    partitions.attach(to.entries("partitions"));
    lives = to.entries("lives");
  }

  @Override public void save(Output to) {
    ends.save(to);
  }

  @Override public long due() {
    return ends.due();
  }

  @Override public OutputBatch process(Rows arrived, long clock) {
    changes = new ChangedFirstRows(spec.columns().size(), ranks.size());
    Map<ByteBuffer, Life> touched = new LinkedHashMap<>();
    int[] byTime = arrived.order();
    UnsafeRow row = arrived.view();
    for (int i = 0; i < arrived.count(); i++) {
      arrived.get(byTime[i], row);
      byte[] key = Rows.bytes(partition.apply(row));
      touched.computeIfAbsent(ByteBuffer.wrap(key), missing -> new Life(key)).add(row, arrived.time(byTime[i]));
    }
    touched.values().forEach(life -> life.write(clock));
    ends.close(clock, (key, expected) -> {
      Input saved = new Input(lives.get(key));
      saved.fixedLong();
      long end = saved.fixedLong();
      if (end > clock) {
        ends.add(key, end);
      } else {
        lives.remove(key);
        partitions.partition(key).retain(0);
      }
    });
    partitions.write();
    OutputBatch rows = changes.rows();
    changes = null;
    return rows;
  }

  private FirstRows none() {
    return new FirstRows(order, spec.order().size(), spec.function(), spec.limit(), ranks);
  }

  /** The last life of a partition that gets rows. */
  private final class Life {
    private final byte[] key;
    private final SortedPartitions.Partition rows;
    private final boolean isInState;
    private boolean isOpen;
    private long last;
    private long end;
    /** Its first rows before the batch. */
    private FirstRows before = none();
    private boolean isChanged;

    Life(byte[] key) {
      this.key = key;
      rows = partitions.partition(key);
      byte[] saved = lives.get(key);
      isInState = saved != null;
      isOpen = isInState;
      if (isInState) {
        Input from = new Input(saved);
        last = from.fixedLong();
        end = from.fixedLong();
        rows.read(before);
      }
    }

    void add(UnsafeRow row, long time) {
      // A row exactly that much later still belongs to the life.
      if (isOpen && time - last > spec.ttl()) {
        emit();
        rows.retain(0);
        before = none();
      }
      byte[] content = Rows.bytes(columns.apply(row));
      // What is not among the first rows now never will be.
      if (!before.excludes(content)) {
        rows.add(content, 1);
        isChanged = true;
      }
      isOpen = true;
      last = time;
      end = row.getLong(closes);
    }

    private void emit() {
      if (isChanged) {
        FirstRows after = none();
        rows.read(after);
        changes.add(before, after);
        if (after.isCut()) {
          rows.retain(after.different());
        }
        isChanged = false;
      }
    }

    /** Emits what has changed, and keeps the life if the clock has not ended it; a timer removes one that is in state. */
    void write(long clock) {
      emit();
      if (!isInState && end <= clock) {
        rows.retain(0);
        return;
      }
      Output to = new Output();
      to.fixedLong(last);
      to.fixedLong(end);
      lives.put(key, to.toBytes());
      if (!isInState) {
        ends.add(key, end);
      }
    }
  }
}
