package io.rowtime.serve;

import java.io.BufferedOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.Serializable;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.rdd.RDD;
import scala.collection.Iterator;
import scala.collection.immutable.Range$;
import scala.reflect.ClassTag$;
import scala.runtime.AbstractFunction2;
import scala.runtime.BoxedUnit;

/**
 * Writes the rows of a result to files, one per partition. The tasks write them as they compute the rows, so that no
 * process has more than one batch of rows in memory.
 */
public final class ResultFiles {
  private ResultFiles() {}

  /** Thrown if a result is too large. Python looks for the message in Spark's report of the failed job. */
  public static final class TooLarge extends IllegalStateException {
    private static final long serialVersionUID = 1;

    TooLarge(String message) {
      super(message);
    }
  }

  /**
   * Computes a result with one job.
   *
   * @param rows batches of rows, pickled by PySpark or in Arrow's format
   * @param folder the folder for the files, which all executors share. They are named by partition number: for each
   *     batch its length, then its bytes; a partition without rows has no file
   * @param most the maximum number of bytes in the folder
   * @param spare the number of bytes that stay free on its disk
   * @return the number of partitions
   */
  public static int write(JavaRDD<byte[]> rows, String folder, long most, long spare) {
    RDD<byte[]> batches = rows.rdd();
    int count = batches.getNumPartitions();
    batches.sparkContext().runJob(batches, new Writer(folder, most, spare), Range$.MODULE$.apply(0, count), new Nothing(),
        ClassTag$.MODULE$.apply(BoxedUnit.class));
    return count;
  }

  /** Writes the batches of a task's partition. */
  private static final class Writer extends AbstractFunction2<TaskContext, Iterator<byte[]>, BoxedUnit> implements Serializable {
    private static final long serialVersionUID = 1;
    /** The number of bytes after which a task looks at the sizes again. */
    private static final int LOOK = 16 << 20;

    private final String folder;
    private final long most;
    private final long spare;

    Writer(String folder, long most, long spare) {
      this.folder = folder;
      this.most = most;
      this.spare = spare;
    }

    @Override public BoxedUnit apply(TaskContext context, Iterator<byte[]> batches) {
      if (batches.hasNext()) {
        // An attempt that is killed may still be writing when the next one begins.
        Path draft = Path.of(folder, context.partitionId() + ".attempt-" + context.taskAttemptId());
        try {
          try (OutputStream file = Files.newOutputStream(draft, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
              DataOutputStream out = new DataOutputStream(new BufferedOutputStream(file, 1 << 16))) {
            write(batches, out, context);
          } catch (IOException | RuntimeException e) {
            Files.deleteIfExists(draft);
            throw e;
          }
          Files.move(draft, Path.of(folder, Integer.toString(context.partitionId())), StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
          throw new UncheckedIOException(e);
        }
      }
      return BoxedUnit.UNIT;
    }

    private void write(Iterator<byte[]> batches, DataOutputStream out, TaskContext context) throws IOException {
      long written = LOOK;
      while (batches.hasNext()) {
        byte[] batch = batches.next();
        written += batch.length;
        if (written >= LOOK) {
          written = 0;
          context.killTaskIfInterrupted();
          check();
        }
        // Eight bytes, so that Arrow's buffers are aligned in the file.
        out.writeLong(batch.length);
        out.write(batch);
      }
    }

    private void check() throws IOException {
      FileStore disk = Files.getFileStore(Path.of(folder));
      if (disk.getUsableSpace() < spare) {
        throw new TooLarge("The result needs too much of the disk: less than " + megabytes(spare) + " would stay free at '" + folder + "'");
      }
      long size = 0;
      try (DirectoryStream<Path> files = Files.newDirectoryStream(Path.of(folder))) {
        for (Path file : files) {
          try {
            size += Files.size(file);
          } catch (NoSuchFileException renamed) {
            // Another task has finished its file, which counts at the next look.
          }
        }
      }
      if (size > most) {
        throw new TooLarge("The result has more than " + megabytes(most) + ", the limit for one result");
      }
    }

    private static String megabytes(long bytes) {
      return String.format("%,d MB", bytes >> 20);
    }
  }

  /** The results of tasks are their files. */
  private static final class Nothing extends AbstractFunction2<Object, BoxedUnit, BoxedUnit> {
    @Override public BoxedUnit apply(Object partition, BoxedUnit done) {
      return BoxedUnit.UNIT;
    }
  }
}
