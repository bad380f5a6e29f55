package io.rowtime.log;

import java.io.IOException;
import java.io.UncheckedIOException;
import org.apache.hadoop.fs.Path;
import org.apache.spark.sql.SQLContext;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.execution.streaming.Source;
import org.apache.spark.sql.sources.StreamSourceProvider;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.StructType;
import scala.Option;
import scala.Tuple2;
import scala.collection.immutable.Map;

/**
 * The format {@code io.rowtime.log.LogSource} of {@code readStream}: the rows that each commit of a log has added.
 * Options: {@code name} of the stream, for messages; {@code folder}, the URI of its table; {@code id} of the table;
 * {@code columns}, as Delta's metadata have them; {@code version}, the first one to be read;
 * {@code clockShift}, where a commit is read only once the system clock has passed its bound by so many milliseconds;
 * {@code watermarkShift}, where the query's watermark is the log's bound and so many milliseconds.
 */
public final class LogSource implements StreamSourceProvider {
  @Override public Tuple2<String, StructType> sourceSchema(
      SQLContext context, Option<StructType> schema, String provider, Map<String, String> options) {
    return new Tuple2<>("log", columns(options));
  }

  @Override public Source createSource(SQLContext context, String metadata, Option<StructType> schema, String provider,
      Map<String, String> options) {
    SparkSession spark = context.sparkSession();
    Path folder = new Path(options.apply("folder"));
    try {
      Commits commits =
          new Commits(options.apply("name"), folder, folder.getFileSystem(spark.sessionState().newHadoopConf()));
      long first = Long.parseLong(options.apply("version"));
      return new LogStream(spark, options.apply("id"), folder, columns(options), commits, first,
          number(options, "clockShift"), number(options, "watermarkShift"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Long number(Map<String, String> options, String name) {
    return options.contains(name) ? Long.valueOf(options.apply(name)) : null;
  }

  private static StructType columns(Map<String, String> options) {
    return (StructType) DataType.fromJson(options.apply("columns"));
  }
}
