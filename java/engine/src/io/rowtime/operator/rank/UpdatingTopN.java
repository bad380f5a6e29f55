package io.rowtime.operator.rank;

import io.rowtime.aggregate.RankFunction;
import io.rowtime.operator.OutputRows;
import io.rowtime.operator.spec.UpdatingTopNSpec;
import io.rowtime.state.EntriesOperator;
import io.rowtime.state.KeyColumns;
import io.rowtime.state.Rows;
import io.rowtime.state.States;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.types.StructType;

/**
 * Top-N of partitions that are never complete. For each partition that a micro-batch changes, it emits the rows that are no longer
 * among the first ones with a number below 0, and those that have come in with one above 0: how often each row is there.
 *
 * <p>If rows are only added, state has the first rows of each partition; if they can be retracted, all of them, since any can become
 * one of the first. It grows with the number of partitions; memory contains the partitions of one micro-batch.
 */
final class UpdatingTopN extends EntriesOperator {
  private static final long LAYOUT = 1;

  private final UpdatingTopNSpec spec;
  private final UnsafeProjection partition;
  private final UnsafeProjection columns;
  private final int width;
  /** The index of the column that says how often a row is added, or -1. */
  private final int change;
  private final List<RankFunction> ranks;
  private final RankOrder order;
  private final SortedPartitions partitions;

  UpdatingTopN(UpdatingTopNSpec spec, StructType schema) {
    super("partitions", LAYOUT);
    this.spec = spec;
    partition = KeyColumns.of(spec.partition(), schema);
    columns = KeyColumns.of(spec.columns(), schema);
    width = spec.columns().size();
    change = spec.change() == null ? -1 : schema.fieldIndex(spec.change());
    ranks = ChangedFirstRows.functions(spec.ranks());
    order = new RankOrder(spec.order(), spec.time(), ChangedFirstRows.kept(spec.columns(), schema));
    partitions = new SortedPartitions(order);
  }

  @Override protected void checkLayout(long saved) {
    // The entries of AddedRowsTopN are the same: which of the two it is depends on the ranks that a query returns, and these are not kept.
    if (saved != AddedRowsTopN.LAYOUT) {
      super.checkLayout(saved);
    }
  }

  @Override protected void attach(States.Entries entries) {
    partitions.attach(entries);
  }

  @Override public Iterator<InternalRow> process(Iterator<InternalRow> rows, long watermark) {
    // By slot of the partition.
    List<Before> before = new ArrayList<>();
    while (rows.hasNext()) {
      UnsafeRow row = (UnsafeRow) rows.next();
      SortedPartitions.Partition its = partitions.partition(partition.apply(row));
      if (its.slot == before.size()) {
        before.add(new Before(its, first(its)));
      }
      Before was = before.get(its.slot);
      byte[] content = Rows.bytes(columns.apply(row));
      // What is not among the first rows now never will be, unless one of them is retracted.
      if (change >= 0 || !was.first.excludes(content)) {
        its.add(content, change < 0 ? 1 : row.getLong(change));
        was.isChanged = true;
      }
    }
    ChangedFirstRows changes = new ChangedFirstRows(width, ranks.size());
    for (Before was : before) {
      if (was.isChanged) {
        FirstRows after = first(was.its);
        changes.add(was.first, after);
        if (change < 0 && after.isCut()) {
          was.its.retain(after.different());
        }
      }
    }
    partitions.write();
    return new OutputRows(changes.rows(), ChangedFirstRows.types(ranks.size()));
  }

  /** A partition, and its first rows before the micro-batch. */
  private static final class Before {
    private final SortedPartitions.Partition its;
    private final FirstRows first;
    private boolean isChanged;

    Before(SortedPartitions.Partition its, FirstRows first) {
      this.its = its;
      this.first = first;
    }
  }

  private FirstRows first(SortedPartitions.Partition of) {
    FirstRows first = new FirstRows(order, spec.order().size(), spec.function(), spec.limit(), ranks);
    of.read(first);
    return first;
  }
}
