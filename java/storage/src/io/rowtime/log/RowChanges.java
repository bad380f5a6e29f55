package io.rowtime.log;

import java.util.List;
import java.util.Map;
import org.apache.spark.unsafe.types.UTF8String;
import org.roaringbitmap.RoaringBitmap;

/** How often the rows of data files are added to a table, or removed from it. */
public final class RowChanges extends SaidOfFiles<List<RowChanges.Change>> {
  private static final long serialVersionUID = 1L;
  /** What stands for a file that the table does not have. */
  private static final String ABSENT = "x";

  /**
   * @param said by the name of the data file: what happens to it, with {@code |} between the changes. Each is its deletion vector
   *        before and after, see {@link DeletionVector}, with {@code >} between them; {@code x} if the table does not have the file
   */
  RowChanges(Map<String, String> said) {
    super(said);
  }

  @Override List<Change> read(String text) {
    return parts(text, Change::of);
  }

  /** The deleted rows of a file before and after a change; null if the table does not have it. */
  record Change(RoaringBitmap before, RoaringBitmap after) {
    static Change of(String text) {
      String[] parts = text.split(">", 2);
      return new Change(deleted(parts[0]), deleted(parts[1]));
    }

    private static RoaringBitmap deleted(String place) {
      return place.equals(ABSENT) ? null : DeletionVector.read(place);
    }

    long of(int row) {
      return rows(after, row) - rows(before, row);
    }

    private static long rows(RoaringBitmap deleted, int row) {
      return deleted == null || deleted.contains(row) ? 0 : 1;
    }
  }

  /**
   * Returns how often a row is added; below 0 if it is removed.
   *
   * @param name the name of its data file
   * @param row its position in the file
   */
  public long of(UTF8String name, long row) {
    long times = 0;
    for (Change change : of(name)) {
      times += change.of((int) row);
    }
    return times;
  }
}
