package io.rowtime.operator.process;

import io.rowtime.state.KeyColumns;
import io.rowtime.state.Rows;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.stream.IntStream;
import org.apache.spark.api.java.function.MapPartitionsFunction;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;

/** Runs a function over the rows of a relation, which arrive partition by partition, in order. */
final class ProcessedRelation implements MapPartitionsFunction<InternalRow, InternalRow> {
  private static final long serialVersionUID = 1L;
  /** The number of rows of a partition that are processed at a time. */
  private static final int CHUNK = 4096;

  private final ProcessOperator.Maker maker;

  ProcessedRelation(ProcessOperator.Maker maker) {
    this.maker = maker;
  }

  @Override public Iterator<InternalRow> call(Iterator<InternalRow> rows) {
    return new Processed(rows);
  }

  private final class Processed implements Iterator<InternalRow> {
    private final Iterator<InternalRow> rows;
    private final ProcessColumns columns = maker.columns();
    private final ProcessColumns.Writer writer = columns.new Writer();
    private final Processor processor = maker.processor(columns);
    private final UnsafeProjection binary = UnsafeProjection.create(maker.input());
    private final UnsafeProjection key = KeyColumns.of(maker.spec().partition(), maker.input());
    private final int time = maker.input().fieldIndex(maker.spec().time());
    private final Deque<UnsafeRow> out = new ArrayDeque<>();
    private Rows chunk = new Rows(maker.input().length());
    private Processor.Partition partition;
    private byte[] partitionKey;

    Processed(Iterator<InternalRow> rows) {
      this.rows = rows;
    }

    @Override public boolean hasNext() {
      while (out.isEmpty() && (rows.hasNext() || partition != null)) {
        if (rows.hasNext()) {
          take(binary.apply(rows.next()));
        } else {
          end();
        }
      }
      return !out.isEmpty();
    }

    private void take(UnsafeRow row) {
      UnsafeRow its = key.apply(row);
      if (partition == null || !Arrays.equals(its.getBytes(), partitionKey)) {
        end();
        partition = processor.create();
        // The bytes of a key of fixed size are the buffer of the projection, which the next row overwrites.
        partitionKey = its.getBytes().clone();
      }
      chunk.add(row, row.getLong(time), chunk.count());
      if (chunk.count() >= CHUNK) {
        process(Long.MIN_VALUE);
      }
    }

    private void end() {
      if (partition != null) {
        process(Long.MAX_VALUE);
        partition = null;
      }
    }

    private void process(long bound) {
      int[] all = IntStream.range(0, chunk.count()).toArray();
      processor.process(partition, partitionKey, chunk, all, all.length, bound,
          (key, rowtime, values) -> out.add(writer.row(key, rowtime, values).copy()));
      processor.finish();
      chunk = new Rows(maker.input().length());
    }

    @Override public InternalRow next() {
      if (!hasNext()) {
        throw new NoSuchElementException();
      }
      return out.remove();
    }
  }
}
