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
    java.nio.file.Path table = folder.getRoot().toPath();
    java.nio.file.Path log = Files.createDirectory(table.resolve("_delta_log"));
    for (int i = 0; i < rows.length; i++) {
      String statistics = rows[i] < 0 ? "" : ",\"stats\":\"{\\\"numRecords\\\":" + rows[i] + "}\"";
      String add = "{\"add\":{\"path\":\"" + i + ".parquet\",\"size\":1" + statistics + "}}";
      Files.writeString(log.resolve(String.format("%020d.json", i)), "{\"commitInfo\":{}}\n" + add + "\n");
    }
    Path path = new Path(table.toUri());
    Commits commits = new Commits("S", path, FileSystem.getLocal(new Configuration()));
    return new LogStream(null, "s", path, new StructType(), commits, 0, null, null, null);
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
}
