package io.rowtime.log;

import java.io.File;
import java.util.Locale;
import org.apache.hadoop.fs.Path;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.connector.read.streaming.ReadLimit;
import org.apache.spark.sql.connector.read.streaming.SupportsTriggerAvailableNow;
import org.apache.spark.sql.execution.streaming.Offset;
import org.apache.spark.sql.execution.streaming.Source;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import scala.Option;

/**
 * Reads the changes of a table: in the first micro-batch the rows of a version, in each later one those by which the newest version
 * differs from the one before.
 */
final class ChangeStream implements Source, SupportsTriggerAvailableNow, CountedBatch {
  private final SparkSession spark;
  private final String id;
  private final Path folder;
  private final File log;
  private final StructType columns;
  private final SharedCommits commits;
  private final BatchExpressions batchExpressions;
  private long newest = -1;
  private long listed = -1;
  private boolean untilEnd;
  private long last = Long.MAX_VALUE;
  private long batchRows;

  /** @param id the id of the table in the catalog: another table with its name has another one */
  ChangeStream(SparkSession spark, String id, Path folder, StructType columns, SharedCommits commits) {
    this.spark = spark;
    this.id = id;
    this.folder = folder;
    this.log = new File(folder.toUri().getPath(), "_delta_log");
    this.columns = columns;
    this.commits = commits;
    this.batchExpressions = new BatchExpressions(spark);
  }

  @Override public StructType schema() {
    return columns.add(LogFiles.CHANGE, DataTypes.LongType, false);
  }

  @Override public Option<Offset> getOffset() {
    throw new UnsupportedOperationException("The offset before is needed");
  }

  /** A micro-batch has the difference of two versions, whatever lies between them. */
  @Override public ReadLimit getDefaultReadLimit() {
    return ReadLimit.allAvailable();
  }

  /** A query that reads the available data ends with the version that exists when it starts. */
  @Override public void prepareForTriggerAvailableNow() {
    untilEnd = true;
  }

  @Override public org.apache.spark.sql.connector.read.streaming.Offset latestOffset(
      org.apache.spark.sql.connector.read.streaming.Offset start, ReadLimit limit) {
    // Spark asks all sources for their offsets before it asks those with new rows for a batch.
    batchRows = 0;
    long end = Math.min(commits.next(this, this::newest), last);
    if (untilEnd) {
      last = end;
      untilEnd = false;
    }
    if (start == null) {
      return new TableOffset(id, end);
    }
    long read = version((Offset) start);
    if (read > end && last == Long.MAX_VALUE) {
      throw new IllegalStateException(String.format("A table cannot be read: RT0605 The query has read version %,d of the table in '%s', which has lost it: its newest one is %,d",
          read, folder.toUri().getPath(), end));
    }
    return read >= end ? start : new TableOffset(id, end);
  }

  /** Looks for commits only if there is a next one, or the folder has changed: an idle query asks again and again. */
  private long newest() {
    long changed = log.lastModified();
    if (newest < 0 || changed != listed || new File(log, String.format(Locale.ROOT, "%020d.json", newest + 1)).exists()) {
      newest = Long.parseLong(commits.require(commits.commits().newest()));
      listed = changed;
    }
    return newest;
  }

  @Override public Dataset<Row> getBatch(Option<Offset> start, Offset end) {
    String before = start.isEmpty() ? "" : Long.toString(version(start.get()));
    String changes = commits.require(commits.commits().changes(before, Long.toString(version(end))));
    int line = changes.indexOf('\n');
    batchRows = Long.parseLong(changes.substring(0, line));
    batchExpressions.choose();
    return LogFiles.readChanges(spark, folder.toUri().toString(), columns.json(), changes.substring(line + 1));
  }

  private long version(Offset offset) {
    TableOffset read = TableOffset.of(offset);
    if (!read.table().equals(id)) {
      throw new IllegalStateException("A table cannot be read: RT0312 The query has read another table with this name, which was dropped");
    }
    return read.version();
  }

  @Override public long batchRows() {
    return batchRows;
  }

  @Override public void stop() {}

  @Override public String toString() {
    return "changes " + folder.toUri().getPath();
  }
}
