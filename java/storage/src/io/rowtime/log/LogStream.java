package io.rowtime.log;

import io.rowtime.spark.CountedBatch;
import io.rowtime.spark.Frames;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.apache.hadoop.fs.Path;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.expressions.AttributeReference;
import org.apache.spark.sql.catalyst.types.DataTypeUtils;
import org.apache.spark.sql.connector.read.streaming.ReadLimit;
import org.apache.spark.sql.connector.read.streaming.ReadMaxFiles;
import org.apache.spark.sql.connector.read.streaming.SupportsTriggerAvailableNow;
import org.apache.spark.sql.execution.datasources.LogicalRelation;
import org.apache.spark.sql.execution.datasources.parquet.ParquetFileFormat;
import org.apache.spark.sql.execution.streaming.Offset;
import org.apache.spark.sql.execution.streaming.Source;
import org.apache.spark.sql.types.StructType;
import scala.Option;
import scala.collection.immutable.Seq;

/** Reads the rows of a log's commits, starting with a version. */
final class LogStream implements Source, SupportsTriggerAvailableNow, CountedBatch {
  /** The maximum number of commits per micro-batch: a query that has fallen behind catches up in steps. */
  private static final int COMMITS = 1000;
  /** The number of rows after which a micro-batch takes no further commit: the driver has its result in memory. */
  private static final long ROWS = 1 << 21;

  private final SparkSession spark;
  private final String id;
  private final Path folder;
  private final StructType columns;
  /** The same in each micro-batch, so that the plan of one is that of the next. */
  private final Seq<AttributeReference> output;
  private final ParquetFileFormat format;
  private final Commits commits;
  private final long first;
  private final Long clockShift;
  private final Long watermarkShift;
  private final BatchWatermark batchWatermark;
  private final BatchSettings batchSettings;
  private final long until;
  private boolean untilEnd;
  private long last = Long.MAX_VALUE;
  private long watermark = Long.MIN_VALUE;
  private long batchRows;
  private final Supplier<BatchEnd> batchEnds;
  private BatchEnd batchEnd;

  /**
   * @param id the id of the log's table
   * @param first the version at which a query without a checkpoint starts
   * @param clockShift a commit is read once the system clock has passed its bound by this many milliseconds; null to
   *     read it at once
   * @param watermarkShift how far the watermark is ahead of the log's bound, in milliseconds; null if the bound is not
   *     the watermark
   * @param until the first version that is not read; null if there is no end
   * @param batchEnds returns what all scans of the log in a query share, once the query runs
   */
  LogStream(SparkSession spark, String id, Path folder, StructType columns, Commits commits, long first, Long clockShift,
      Long watermarkShift, Long until, Supplier<BatchEnd> batchEnds) {
    this.spark = spark;
    this.id = id;
    this.folder = folder;
    this.columns = columns;
    output = DataTypeUtils.toAttributes(columns);
    format = LogFormat.of(folder);
    this.commits = commits;
    this.first = first;
    this.clockShift = clockShift;
    this.watermarkShift = watermarkShift;
    this.until = until == null ? Long.MAX_VALUE : until;
    this.batchEnds = batchEnds;
    this.batchWatermark = new BatchWatermark(spark);
    this.batchSettings = new BatchSettings(spark);
  }

  @Override public StructType schema() {
    return columns;
  }

  @Override public Option<Offset> getOffset() {
    throw new UnsupportedOperationException("The offset before is needed");
  }

  @Override public ReadLimit getDefaultReadLimit() {
    return ReadLimit.maxFiles(COMMITS);
  }

  /** A query that reads the available data ends with the commits that exist when it starts. */
  @Override public void prepareForTriggerAvailableNow() {
    untilEnd = true;
  }

  @Override public org.apache.spark.sql.connector.read.streaming.Offset latestOffset(
      org.apache.spark.sql.connector.read.streaming.Offset start, ReadLimit limits) {
    // Spark asks all sources for their offsets before it asks those with new rows for a batch.
    batchRows = 0;
    long from = start == null ? first : LogOffset.of((Offset) start).next();
    long most = limits instanceof ReadMaxFiles files ? from + files.maxFiles() : Long.MAX_VALUE;
    long end = fewRows(from, reachedVersion(from, existing(from, Math.min(most, until))));
    if (end == from) {
      return start;
    }
    if (watermarkShift != null) {
      Long bound = commits.bound(end - 1);
      watermark = bound == null ? Long.MIN_VALUE : bound + watermarkShift;
      batchWatermark.advance();
    }
    return new LogOffset(id, end);
  }

  /** Returns the first version, starting with {@code from}, that does not exist, or is not read in this micro-batch. */
  private long existing(long from, long limit) {
    if (batchEnd == null) {
      batchEnd = batchEnds.get();
    }
    long most = untilEnd ? Long.MAX_VALUE : Math.min(limit, last);
    long found = batchEnd.next(this, from, most, version -> commits.end(from, version));
    if (untilEnd) {
      last = found;
      untilEnd = false;
    }
    return Math.max(from, Math.min(found, limit));
  }

  /** Returns the watermark (ms) after all rows up to the latest offset are read; MIN_VALUE while it is unknown. */
  long watermark() {
    return watermark;
  }

  /** With control rows. */
  @Override public long batchRows() {
    return batchRows;
  }

  /**
   * Returns the first version, starting with {@code from}, that the system clock has not passed, at most {@code end}.
   */
  private long reachedVersion(long from, long end) {
    if (clockShift == null) {
      return end;
    }
    long now = System.currentTimeMillis();
    long version = from;
    while (version < end) {
      Long bound = commits.bound(version);
      if (bound != null && bound + clockShift >= now) {
        return version;
      }
      version++;
    }
    return end;
  }

  /** Returns the version up to which a micro-batch reads, at most {@code end}. It reads one commit at least. */
  private long fewRows(long from, long end) {
    long rows = 0;
    for (long version = from; version < end - 1; version++) {
      long added = commits.rows(version);
      if (added >= ROWS - rows) {
        return version + 1;
      }
      rows += added;
    }
    return end;
  }

  @Override public Dataset<Row> getBatch(Option<Offset> start, Offset end) {
    long from = start.isEmpty() ? first : LogOffset.of(start.get()).next();
    LogOffset to = LogOffset.of(end);
    if (!to.log().equals(id)) {
      throw new IllegalStateException("The checkpoint belongs to another log than the one in " + folder);
    }
    List<DataFile> added = new ArrayList<>();
    for (long version = from; version < to.next(); version++) {
      added.addAll(commits.addedFiles(version));
    }
    batchRows = 0;
    for (DataFile file : added) {
      batchRows = file.rows() > Long.MAX_VALUE - batchRows ? Long.MAX_VALUE : batchRows + file.rows();
    }
    batchSettings.choose();
    return Frames.resolved(spark, new LogicalRelation(LogFiles.relation(spark, folder, columns, added, format), output, Option.empty(), true,
        Option.empty()));
  }

  @Override public void stop() {}

  @Override public String toString() {
    return "log " + folder.toUri().getPath();
  }
}
