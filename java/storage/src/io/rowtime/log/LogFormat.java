package io.rowtime.log;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.execution.datasources.PartitionedFile;
import org.apache.spark.sql.execution.datasources.parquet.ParquetFileFormat;
import org.apache.spark.sql.sources.Filter;
import org.apache.spark.sql.types.StructType;
import scala.Function1;
import scala.collection.Iterator;
import scala.collection.immutable.Map;
import scala.collection.immutable.Seq;

/**
 * Reads the Parquet files of a log on a local disk. Spark sends Hadoop's whole configuration to the tasks, once for each
 * log and micro-batch: more than a thousand entries, which takes longer than to read a small file. These tasks get the
 * entries for Parquet only. An object of this class is for one query, whose settings stay the same: it sends them once.
 */
final class LogFormat extends ParquetFileFormat {
  private static final long serialVersionUID = 1;
  private static final String PREFIX = "parquet.";

  /** The arguments of a reader; a session compares by identity. */
  private record Arguments(SparkSession spark, StructType dataSchema, StructType partitionSchema, StructType requiredSchema, Seq<Filter> filters,
      Map<String, String> options) {}

  private record Reader(Arguments arguments, Function1<PartitionedFile, Iterator<InternalRow>> rows) {}

  /** The last reader, of the micro-batch before. */
  private transient volatile Reader last;

  /** Returns the format for the files in a folder. Other file systems than the local one need their configuration. */
  static ParquetFileFormat of(Path folder) {
    String scheme = folder.toUri().getScheme();
    return scheme == null || scheme.equals("file") ? new LogFormat() : new ParquetFileFormat();
  }

  @Override public Function1<PartitionedFile, Iterator<InternalRow>> buildReaderWithPartitionValues(SparkSession spark,
      StructType dataSchema, StructType partitionSchema, StructType requiredSchema, Seq<Filter> filters, Map<String, String> options,
      Configuration hadoop) {
    Arguments arguments = new Arguments(spark, dataSchema, partitionSchema, requiredSchema, filters, options);
    Reader known = last;
    if (known != null && known.arguments.equals(arguments)) {
      return known.rows;
    }
    Configuration needed = new Configuration(false);
    hadoop.getPropsWithPrefix(PREFIX).forEach((key, value) -> needed.set(PREFIX + key, value));
    Reader made = new Reader(arguments,
        super.buildReaderWithPartitionValues(spark, dataSchema, partitionSchema, requiredSchema, filters, options, needed));
    last = made;
    return made.rows;
  }
}
