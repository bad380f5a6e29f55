package io.rowtime.serve;

import java.io.BufferedOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.Serializable;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.rdd.RDD;
import scala.collection.Iterator;
import scala.collection.immutable.Range$;
import scala.reflect.ClassTag$;
import scala.runtime.AbstractFunction2;
import scala.runtime.BoxedUnit;

/**
 * Writes the rows of a result to files, one per partition, so that no process has more than one partition in memory.
 */
public final class ResultFiles {
  private ResultFiles() {}

  /**
   * Computes a result with one job.
   *
   * @param rows batches of rows, pickled by PySpark
   * @param folder the folder for the files, which are named by partition number: for each batch its length, then its
   *     bytes; a partition without rows has no file
   * @return the number of partitions
   */
  public static int write(JavaRDD<byte[]> rows, String folder) {
    RDD<byte[]> batches = rows.rdd();
    int count = batches.getNumPartitions();
    batches.sparkContext().runJob(batches, new Taken(), Range$.MODULE$.apply(0, count), new Writer(Path.of(folder)),
        ClassTag$.MODULE$.apply(byte[][].class));
    return count;
  }

  /** Collects the batches of a task's partition. */
  private static final class Taken extends AbstractFunction2<TaskContext, Iterator<byte[]>, byte[][]> implements Serializable {
    private static final long serialVersionUID = 1;

    @Override public byte[][] apply(TaskContext context, Iterator<byte[]> batches) {
      List<byte[]> found = new ArrayList<>();
      while (batches.hasNext()) {
        found.add(batches.next());
      }
      return found.toArray(new byte[0][]);
    }
  }

  /** Writes a partition when its task is done. */
  private static final class Writer extends AbstractFunction2<Object, byte[][], BoxedUnit> {
    private final Path folder;

    Writer(Path folder) {
      this.folder = folder;
    }

    @Override public BoxedUnit apply(Object partition, byte[][] batches) {
      if (batches.length > 0) {
        try (DataOutputStream out = new DataOutputStream(
            new BufferedOutputStream(Files.newOutputStream(folder.resolve(partition.toString()))))) {
          for (byte[] batch : batches) {
            out.writeInt(batch.length);
            out.write(batch);
          }
        } catch (IOException e) {
          throw new UncheckedIOException(e);
        }
      }
      return BoxedUnit.UNIT;
    }
  }
}
