package io.rowtime.log;

import java.io.Serializable;
import java.util.HashMap;
import java.util.Map;
import org.apache.spark.unsafe.types.UTF8String;
import org.roaringbitmap.RoaringBitmap;

/** The rows of data files that are deleted. A task reads the deletion vectors of those files that it reads. */
public final class DeletedRows implements Serializable {
  private static final long serialVersionUID = 1L;

  private final Map<String, String> places;

  private transient Map<UTF8String, RoaringBitmap> read;
  private transient UTF8String file;
  private transient RoaringBitmap deleted;

  /**
   * @param places by the name of the data file: where its vector is, see {@link DeletionVector}
   */
  DeletedRows(Map<String, String> places) {
    this.places = places;
  }

  /**
   * Returns whether a row is still there.
   *
   * @param name the name of its data file
   * @param row its position in the file
   */
  public boolean isKept(UTF8String name, long row) {
    if (!name.equals(file)) {
      if (read == null) {
        read = new HashMap<>();
      }
      // Spark reuses the memory of the text.
      file = name.copy();
      deleted = read.computeIfAbsent(file, one -> DeletionVector.read(places.getOrDefault(one.toString(), DeletionVector.NONE)));
    }
    return !deleted.contains((int) row);
  }
}
