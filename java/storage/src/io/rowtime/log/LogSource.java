package io.rowtime.log;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.rowtime.spark.Frames;
import io.rowtime.spark.ScalaSeq;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.util.List;
import org.apache.hadoop.fs.Path;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SQLContext;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.execution.datasources.DataSource;
import org.apache.spark.sql.execution.streaming.Source;
import org.apache.spark.sql.execution.streaming.runtime.StreamingRelation$;
import org.apache.spark.sql.sources.StreamSourceProvider;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.StructType;
import scala.Option;
import scala.Tuple2;
import scala.collection.immutable.Map;
import scala.jdk.javaapi.CollectionConverters;

/**
 * The data source {@code io.rowtime.log.LogSource} for {@code readStream}: the rows that each commit of a log has
 * added. Options: {@code name} of the stream, for messages; {@code folder}, the URI of its table; {@code id} of the
 * table; {@code columns}, as in Delta's metadata; {@code version}, the first version to read; {@code clockShift}, the
 * milliseconds by which the system clock must have passed a commit's bound before the commit is read; {@code
 * watermarkShift}, the milliseconds that are added to the log's bound to get the query's watermark; {@code until}, the first
 * version that is not read.
 */
public final class LogSource implements StreamSourceProvider {
  private static final ObjectMapper JSON = new ObjectMapper();

  /**
   * Returns a streaming DataFrame of this source, without the calls and the analysis that {@code readStream} takes.
   *
   * @param options a JSON object of texts
   */
  public static Dataset<Row> rows(SparkSession spark, String options) throws JsonProcessingException {
    java.util.Map<String, String> read = JSON.readValue(options, new TypeReference<>() {});
    DataSource source = new DataSource(spark, LogSource.class.getName(), ScalaSeq.of(List.of()), Option.empty(), ScalaSeq.of(List.of()),
        Option.empty(), Map.from(CollectionConverters.asScala(read)), Option.empty(), Option.empty());
    return Frames.resolved(spark, StreamingRelation$.MODULE$.apply(source));
  }

  @Override public Tuple2<String, StructType> sourceSchema(
      SQLContext context, Option<StructType> schema, String provider, Map<String, String> options) {
    return new Tuple2<>("log", columns(options));
  }

  @Override public Source createSource(SQLContext context, String metadata, Option<StructType> schema, String provider,
      Map<String, String> options) {
    SparkSession spark = context.sparkSession();
    Path folder = new Path(URI.create(options.apply("folder")));
    try {
      Commits commits =
          new Commits(options.apply("name"), folder, folder.getFileSystem(spark.sessionState().newHadoopConf()));
      String id = options.apply("id");
      return new LogStream(spark, id, folder, columns(options), commits, Long.parseLong(options.apply("version")),
          number(options, "clockShift"), number(options, "watermarkShift"), number(options, "until"), () -> BatchEnd.of(spark, id));
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
