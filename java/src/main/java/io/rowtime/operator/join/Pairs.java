package io.rowtime.operator.join;

import java.util.Arrays;
import java.util.Iterator;
import java.util.NoSuchElementException;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.catalyst.expressions.JoinedRow;
import org.apache.spark.sql.catalyst.expressions.SpecificInternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import scala.jdk.javaapi.CollectionConverters;

/** The rows that a batch of a join gives, as numbers of rows of its inputs, of which one may be missing. */
final class Pairs {
  private long[] lefts = new long[64];
  private long[] rights = new long[64];
  private long[] times = new long[64];
  private int count;

  void add(long left, long right, long time) {
    if (count == times.length) {
      lefts = Arrays.copyOf(lefts, count * 2);
      rights = Arrays.copyOf(rights, count * 2);
      times = Arrays.copyOf(times, count * 2);
    }
    lefts[count] = left;
    rights[count] = right;
    times[count++] = time;
  }

  /**
   * The columns of the left row, those of the right row, and the time.
   *
   * @param end to be run when the last row has been taken
   */
  Iterator<InternalRow> rows(JoinRows left, int leftFields, JoinRows right, int rightFields, Runnable end) {
    UnsafeRow leftRow = left.view();
    UnsafeRow rightRow = right.view();
    InternalRow noLeft = new GenericInternalRow(leftFields);
    InternalRow noRight = new GenericInternalRow(rightFields);
    SpecificInternalRow time =
        new SpecificInternalRow(CollectionConverters.asScala(java.util.List.<DataType>of(DataTypes.TimestampType)).toSeq());
    JoinedRow both = new JoinedRow();
    JoinedRow all = new JoinedRow(both, time);
    return new Iterator<>() {
      private int next;

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
        both.apply(lefts[next] == JoinRows.NONE ? noLeft : left.get(lefts[next], leftRow),
            rights[next] == JoinRows.NONE ? noRight : right.get(rights[next], rightRow));
        time.setLong(0, times[next++]);
        return all;
      }
    };
  }
}
