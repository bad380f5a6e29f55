package io.rowtime.log;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.sql.catalyst.util.GenericArrayData;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.unsafe.types.UTF8String;
import org.roaringbitmap.PeekableIntIterator;
import org.roaringbitmap.RoaringBitmap;

/**
 * The times between which a table had the rows of its data files. A file is part of the table for some time, once or more
 * often, and within it, it gets deletion vectors, each with more rows than the one before.
 */
public final class RowLives extends SaidOfFiles<List<RowLives.Life>> {
  private static final long serialVersionUID = 1L;

  /** The times of one row, in ms since 1970; a {@code to} of null means that the table still has it. */
  static final ArrayType TYPE = new ArrayType(StructType.fromDDL("`$from` BIGINT, `$to` BIGINT"), false);

  /**
   * @param said by the name of the data file: its lives, with {@code |} between them. Each is a list with {@code ;} between
   *        its parts: the begin and the end, with {@code ~} between them (the end is empty if it still lasts), and for each
   *        vector the time from which on it counts, {@code ~}, and its place, see {@link DeletionVector}
   */
  RowLives(Map<String, String> said) {
    super(said);
  }

  @Override List<Life> read(String text) {
    return parts(text, Life::of);
  }

  /**
   * One time in which a file is part of the table.
   *
   * @param deleted all rows that are deleted within it
   * @param ends the time of the deletion of each of them, in their order
   */
  record Life(long begin, Long end, RoaringBitmap deleted, long[] ends) {
    static Life of(String text) {
      String[] parts = text.split(";");
      String[] bounds = parts[0].split("~", 2);
      RoaringBitmap deleted = parts.length == 1 ? new RoaringBitmap() : DeletionVector.read(place(parts[parts.length - 1]));
      long[] ends = new long[deleted.getCardinality()];
      RoaringBitmap seen = new RoaringBitmap();
      for (int i = 1; i < parts.length; i++) {
        RoaringBitmap vector = i == parts.length - 1 ? deleted : DeletionVector.read(place(parts[i]));
        long time = Long.parseLong(parts[i].substring(0, parts[i].indexOf('~')));
        PeekableIntIterator gone = RoaringBitmap.andNot(vector, seen).getIntIterator();
        while (gone.hasNext()) {
          ends[deleted.rank(gone.next()) - 1] = time;
        }
        seen = vector;
      }
      return new Life(Long.parseLong(bounds[0]), bounds[1].isEmpty() ? null : Long.valueOf(bounds[1]), deleted, ends);
    }

    private static String place(String vector) {
      return vector.substring(vector.indexOf('~') + 1);
    }

    /** Returns when the row at a position has ended; null if it still is in the table. */
    Long endOf(int row) {
      return deleted.contains(row) ? Long.valueOf(ends[deleted.rank(row) - 1]) : end;
    }
  }

  /**
   * Returns the times between which the table had a row, see {@link #TYPE}.
   *
   * @param name the name of its data file
   * @param row its position in the file
   */
  public ArrayData of(UTF8String name, long row) {
    List<Life> lives = of(name);
    List<InternalRow> found = new ArrayList<>(lives.size());
    for (Life life : lives) {
      Long end = life.endOf((int) row);
      if (end == null || end > life.begin) {
        found.add(new GenericInternalRow(new Object[] {life.begin, end}));
      }
    }
    return new GenericArrayData(found.toArray());
  }
}
