package io.rowtime.operator.over;

import io.rowtime.operator.calls.Calls;
import io.rowtime.operator.over.PartitionFrames.Section;
import io.rowtime.operator.rank.RankOrder;
import io.rowtime.operator.rank.SortedPartitions;
import io.rowtime.operator.spec.Call;
import io.rowtime.operator.spec.UpdatingGroupSpec;
import io.rowtime.operator.spec.UpdatingOverSpec;
import io.rowtime.state.EntriesOperator;
import io.rowtime.state.KeyColumns;
import io.rowtime.state.Rows;
import io.rowtime.state.States;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;

/**
 * OVER whose values change. For each row that a micro-batch adds or retracts, it evaluates the rows whose frames have it, before and
 * after the micro-batch, and emits what differs.
 *
 * <p>State has all rows of each partition, in order. A batch reads the rows that a change affects, and those of their frames; memory has
 * these of one partition at a time.
 */
final class UpdatingOver extends EntriesOperator {
  private static final long LAYOUT = 1;

  private final UnsafeProjection partition;
  private final UnsafeProjection columns;
  /** The index of the column that says how often a row is added, or -1. */
  private final int change;
  private final RankOrder order;
  private final SortedPartitions partitions;
  private final PartitionFrames frames;

  UpdatingOver(UpdatingOverSpec spec, StructType schema) {
    super("partitions", LAYOUT);
    StructType kept = kept(spec, schema);
    partition = KeyColumns.of(spec.partition(), schema);
    columns = KeyColumns.of(spec.columns(), schema);
    change = spec.change() == null ? -1 : schema.fieldIndex(spec.change());
    order = new RankOrder(spec.order(), spec.time(), kept);
    partitions = new SortedPartitions(order);
    frames = new PartitionFrames(spec, kept);
  }

  private static StructType kept(UpdatingOverSpec spec, StructType input) {
    return new StructType(spec.columns().stream().map(input::apply).toArray(StructField[]::new));
  }

  /** Returns the output columns: those of a row, the results of the calls, and how often it is added or retracted. */
  static StructType output(UpdatingOverSpec spec, StructType input) {
    StructType output = kept(spec, input);
    for (Call call : spec.windows().stream().flatMap(window -> window.calls().stream()).toList()) {
      output = output.add(call.name(), Calls.type(call));
    }
    return output.add(UpdatingGroupSpec.CHANGE, DataTypes.LongType, false);
  }

  @Override protected void attach(States.Entries entries) {
    partitions.attach(entries);
  }

  @Override public Iterator<InternalRow> process(Iterator<InternalRow> rows, long watermark) {
    Map<ByteBuffer, NavigableMap<byte[], Long>> changes = new LinkedHashMap<>();
    while (rows.hasNext()) {
      UnsafeRow row = (UnsafeRow) rows.next();
      changes.computeIfAbsent(ByteBuffer.wrap(Rows.bytes(partition.apply(row))), missing -> new TreeMap<>(order))
          .merge(Rows.bytes(columns.apply(row)), change < 0 ? 1 : row.getLong(change), Long::sum);
    }
    ChangedValues out = frames.values();
    changes.forEach((key, changed) -> {
      changed.values().removeIf(times -> times == 0);
      if (!changed.isEmpty()) {
        apply(partitions.partition(key.array()), changed, out);
        partitions.write();
      }
    });
    return out.emit();
  }

  private void apply(SortedPartitions.Partition rows, NavigableMap<byte[], Long> changed, ChangedValues out) {
    List<Stretch> stretches = stretches(rows, new ArrayList<>(changed.keySet()));
    stretches.forEach(each -> frames.evaluate(section(rows, each), -1, out));
    changed.forEach(rows::add);
    stretches.forEach(each -> frames.evaluate(section(rows, each), 1, out));
    out.next();
  }

  /** Changed rows, the first and the last of which are so near that their frames can overlap. */
  private record Stretch(byte[] first, byte[] last) {}

  private List<Stretch> stretches(SortedPartitions.Partition rows, List<byte[]> changed) {
    List<Stretch> found = new ArrayList<>();
    byte[] first = changed.get(0);
    for (int i = 1; i < changed.size(); i++) {
      if (areApart(rows, changed.get(i - 1), changed.get(i))) {
        found.add(new Stretch(first, changed.get(i - 1)));
        first = changed.get(i);
      }
    }
    found.add(new Stretch(first, changed.get(changed.size() - 1)));
    return found;
  }

  /** Returns whether so many rows are between two rows that no frame of a row that one of them affects has the other one. */
  private boolean areApart(SortedPartitions.Partition rows, byte[] one, byte[] other) {
    long[] between = {0};
    if (frames.reach() > 0) {
      rows.readFrom(one, (row, count) -> {
        if (order.compare(row, other) >= 0) {
          return false;
        }
        between[0] += order.compare(row, one) == 0 ? 0 : count;
        return between[0] < frames.reach();
      });
    }
    return between[0] >= frames.reach();
  }

  /** Returns the rows that the changes of a stretch affect, and those of their frames; a row is there as often as the partition has it. */
  private Section section(SortedPartitions.Partition rows, Stretch of) {
    Section section = new Section();
    long reach = frames.reach();
    if (reach > 0) {
      rows.readBack(of.first, (row, count) -> section.add(row, Math.min(positive(count), reach - section.size())) < reach);
    }
    section.startChanged();
    long[] after = {0};
    rows.readFrom(of.first, (row, count) -> {
      if (order.compare(row, of.last) <= 0) {
        section.add(row, positive(count));
        section.endChanged();
        return true;
      }
      long taken = Math.min(positive(count), reach - after[0]);
      section.add(row, taken);
      after[0] += taken;
      return after[0] < reach;
    });
    return section;
  }

  private static long positive(long count) {
    if (count < 0) {
      throw new IllegalStateException("A row is retracted that was not there");
    }
    return count;
  }
}
