package io.rowtime.log;

import static org.junit.Assert.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.spark.sql.execution.streaming.Offset;
import org.apache.spark.sql.types.StructType;
import org.junit.Rule;
import org.junit.Test;
import org.junit.rules.TemporaryFolder;

public final class LogStreamTest {
  private static final int MANY = 1_500_000;

  @Rule public final TemporaryFolder folder = new TemporaryFolder();

  /** Writes what commits say of their files, which are not there. */
  private LogStream stream(long... rows) throws IOException {
    Files.createDirectory(folder.getRoot().toPath().resolve("_delta_log"));
    for (int i = 0; i < rows.length; i++) {
      commit(i, rows[i]);
    }
    return scan(0, new BatchEnd());
  }

  private void commit(int version, long rows) throws IOException {
    String statistics = rows < 0 ? "" : ",\"stats\":\"{\\\"numRecords\\\":" + rows + "}\"";
    String add = "{\"add\":{\"path\":\"" + version + ".parquet\",\"size\":1" + statistics + "}}";
    java.nio.file.Path log = folder.getRoot().toPath().resolve("_delta_log");
    Files.writeString(log.resolve(String.format("%020d.json", version)), "{\"commitInfo\":{}}\n" + add + "\n");
  }

  private LogStream scan(long first, BatchEnd end) throws IOException {
    Path path = new Path(folder.getRoot().toURI());
    Commits commits = new Commits("S", path, FileSystem.getLocal(new Configuration()));
    return new LogStream(null, "s", path, new StructType(), commits, first, null, null, null, () -> end);
  }

  private static long next(LogStream stream, Offset start) {
    return LogOffset.of((Offset) stream.latestOffset(start, stream.getDefaultReadLimit())).next();
  }

  /** A micro-batch ends with the commit that makes it large. */
  @Test public void aMicroBatchHasLimitedRows() throws IOException {
    LogStream stream = stream(MANY, 0, MANY, 10, 20, 5 * MANY, 30);
    assertEquals(3, next(stream, null));
    assertEquals(6, next(stream, new LogOffset("s", 3)));
    assertEquals(7, next(stream, new LogOffset("s", 6)));
  }

  @Test public void aCommitThatDoesNotSayIsTakenAlone() throws IOException {
    LogStream stream = stream(10, -1, 10, 10);
    assertEquals(2, next(stream, null));
    assertEquals(4, next(stream, new LogOffset("s", 2)));
  }

  /** A commit between the questions of two scans belongs to the next micro-batch, for both of them. */
  @Test public void allScansOfAMicroBatchEndWithTheSameCommit() throws IOException {
    stream(1, 1);
    BatchEnd end = new BatchEnd();
    LogStream left = scan(0, end);
    LogStream right = scan(1, end);
    assertEquals(2, next(left, null));
    commit(2, 1);
    assertEquals(2, next(right, null));
    // Nothing was left for the second one.
    LogOffset both = new LogOffset("s", 2);
    assertEquals(3, next(left, both));
    assertEquals(3, next(right, both));
    LogOffset later = new LogOffset("s", 3);
    assertEquals(later, left.latestOffset(later, left.getDefaultReadLimit()));
    commit(3, 1);
    assertEquals(later, right.latestOffset(later, right.getDefaultReadLimit()));
    assertEquals(4, next(left, later));
    assertEquals(4, next(right, later));
  }

  /** All of them end with the commits that exist when the first one starts. */
  @Test public void allScansOfTheAvailableDataEndTogether() throws IOException {
    stream(1, 1);
    BatchEnd end = new BatchEnd();
    LogStream left = scan(0, end);
    LogStream right = scan(0, end);
    left.prepareForTriggerAvailableNow();
    right.prepareForTriggerAvailableNow();
    assertEquals(2, next(left, null));
    commit(2, 1);
    assertEquals(2, next(right, null));
    LogOffset both = new LogOffset("s", 2);
    assertEquals(both, left.latestOffset(both, left.getDefaultReadLimit()));
    assertEquals(both, right.latestOffset(both, right.getDefaultReadLimit()));
  }
}
