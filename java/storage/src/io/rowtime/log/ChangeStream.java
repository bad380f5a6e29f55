package io.rowtime.log;

import io.rowtime.spark.CountedBatch;
import io.rowtime.spark.Frames;
import java.io.File;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.fs.Path;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.expressions.RowOrdering;
import org.apache.spark.sql.connector.read.streaming.ReadLimit;
import org.apache.spark.sql.connector.read.streaming.SupportsTriggerAvailableNow;
import org.apache.spark.sql.execution.streaming.Offset;
import org.apache.spark.sql.execution.streaming.Source;
import org.apache.spark.sql.functions;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.DoubleType;
import org.apache.spark.sql.types.FloatType;
import org.apache.spark.sql.types.StructType;
import scala.Option;

/**
 * Reads the changes of a table: in the first micro-batch the rows of a version, in each later one those by which the newest version
 * differs from the one before.
 */
final class ChangeStream implements Source, SupportsTriggerAvailableNow, CountedBatch {
  private static final long LOOK = TimeUnit.SECONDS.toNanos(1);
  private static final String NET = "net";
  /** A micro-batch with as many rows goes to the operators as it is: to add up its rows takes a shuffle. */
  private static final long FEW = 1000;

  private final SparkSession spark;
  private final String id;
  private final Path folder;
  private final File log;
  private final StructType columns;
  private final SharedCommits commits;
  private final BatchSettings batchSettings;
  private long newest = -1;
  private long listed = -1;
  private long looked;
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
    this.batchSettings = new BatchSettings(spark);
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

  /**
   * Looks for commits only if there is a next one, or the folder has changed: an idle query asks again and again. Now and then it
   * looks all the same, because a table that is dropped leaves its folder for a time.
   */
  private long newest() {
    long changed = log.lastModified();
    long now = System.nanoTime();
    if (newest < 0 || changed != listed || now - looked > LOOK || new File(log, String.format(Locale.ROOT, "%020d.json", newest + 1)).exists()) {
      newest = Long.parseLong(commits.require(commits.commits().newest()));
      listed = changed;
      looked = now;
    }
    return newest;
  }

  @Override public Dataset<Row> getBatch(Option<Offset> start, Offset end) {
    String before = start.isEmpty() ? "" : Long.toString(version(start.get()));
    String changes = commits.require(commits.commits().changes(before, Long.toString(version(end))));
    int line = changes.indexOf('\n');
    String[] said = changes.substring(0, line).split(" ");
    batchRows = Long.parseLong(said[0]);
    batchSettings.choose();
    boolean nets = said[1].equals(NET) && batchRows > FEW && isExact(columns);
    Dataset<Row> rows = LogFiles.readChanges(spark, folder.toUri().toString(), columns.json(), changes.substring(line + 1), !nets);
    return nets ? net(rows) : rows;
  }

  /** Leaves out rows that are added as often as they are removed, before operators look up all that they have of each. */
  private Dataset<Row> net(Dataset<Row> rows) {
    Dataset<Row> net = rows.groupBy(Frames.columns(List.of(columns.fieldNames())))
        .agg(functions.sum(Frames.column(LogFiles.CHANGE)).as(LogFiles.CHANGE)).where("`" + LogFiles.CHANGE + "` <> 0");
    return ((org.apache.spark.sql.classic.SparkSession) spark).internalCreateDataFrame(net.queryExecution().toRdd(), schema(), true);
  }

  /** Returns whether values that Spark takes for equal are the same: it makes 0 of -0. */
  private static boolean isExact(DataType type) {
    if (type instanceof StructType struct) {
      return Arrays.stream(struct.fields()).allMatch(field -> isExact(field.dataType()));
    }
    return type instanceof ArrayType array ? isExact(array.elementType())
        : RowOrdering.isOrderable(type) && !(type instanceof FloatType) && !(type instanceof DoubleType);
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
