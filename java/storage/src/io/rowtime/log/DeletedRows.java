package io.rowtime.log;

import java.util.Map;
import org.apache.spark.unsafe.types.UTF8String;
import org.roaringbitmap.RoaringBitmap;

/** The rows of data files that are deleted. A task reads the deletion vectors of those files that it reads. */
public final class DeletedRows extends SaidOfFiles<RoaringBitmap> {
  private static final long serialVersionUID = 1L;

  /**
   * @param places by the name of the data file: where its vector is, see {@link DeletionVector}
   */
  DeletedRows(Map<String, String> places) {
    super(places);
  }

  @Override RoaringBitmap read(String place) {
    return DeletionVector.read(place == null ? DeletionVector.NONE : place);
  }

  /**
   * Returns whether a row is still there.
   *
   * @param name the name of its data file
   * @param row its position in the file
   */
  public boolean isKept(UTF8String name, long row) {
    return !of(name).contains((int) row);
  }
}
