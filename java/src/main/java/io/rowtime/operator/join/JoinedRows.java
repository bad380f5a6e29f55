package io.rowtime.operator.join;

import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.function.IntFunction;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.JoinedRow;
import org.apache.spark.sql.catalyst.expressions.SpecificInternalRow;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import scala.jdk.javaapi.CollectionConverters;

/** The output rows of a batch of a join: the columns of the left row, those of the right row, and the time. */
final class JoinedRows implements Iterator<InternalRow> {
  private final int count;
  private final IntFunction<InternalRow> left;
  private final IntFunction<InternalRow> right;
  private final long[] times;
  private final Runnable end;
  private final SpecificInternalRow time =
      new SpecificInternalRow(CollectionConverters.asScala(List.<DataType>of(DataTypes.TimestampType)).toSeq());
  private final JoinedRow both = new JoinedRow();
  private final JoinedRow all = new JoinedRow(both, time);
  private int next;

  /**
   * @param left returns the left row of each of {@code count} rows, valid until the next call
   * @param times the times, in microseconds
   * @param end called after the last row has been read
   */
  JoinedRows(int count, IntFunction<InternalRow> left, IntFunction<InternalRow> right, long[] times, Runnable end) {
    this.count = count;
    this.left = left;
    this.right = right;
    this.times = times;
    this.end = end;
  }

  @Override public boolean hasNext() {
    if (next == count) {
      end.run();
      next++;
    }
    return next < count;
  }

  @Override public InternalRow next() {
    if (next >= count) {
      throw new NoSuchElementException();
    }
    both.apply(left.apply(next), right.apply(next));
    time.setLong(0, times[next++]);
    return all;
  }
}
