package io.rowtime.log;

import java.net.URI;
import org.apache.hadoop.fs.Path;
import org.apache.spark.sql.SQLContext;
import org.apache.spark.sql.execution.streaming.Source;
import org.apache.spark.sql.sources.StreamSourceProvider;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import scala.Option;
import scala.Tuple2;
import scala.collection.immutable.Map;

/**
 * The data source {@code io.rowtime.log.ChangeSource} for {@code readStream}: the rows of a table, and then what each of its
 * versions adds and removes. Options: {@code folder}, the URI of the table; {@code id} of the table; {@code columns}, as in Delta's
 * metadata; {@code commits}, the name of its {@link SharedCommits}.
 */
public final class ChangeSource implements StreamSourceProvider {
  @Override public Tuple2<String, StructType> sourceSchema(
      SQLContext context, Option<StructType> schema, String provider, Map<String, String> options) {
    return new Tuple2<>("changes", columns(options).add(LogFiles.CHANGE, DataTypes.LongType, false));
  }

  @Override public Source createSource(SQLContext context, String metadata, Option<StructType> schema, String provider,
      Map<String, String> options) {
    return new ChangeStream(context.sparkSession(), options.apply("id"), new Path(URI.create(options.apply("folder"))), columns(options),
        SharedCommits.named(options.apply("commits")));
  }

  private static StructType columns(Map<String, String> options) {
    return (StructType) DataType.fromJson(options.apply("columns"));
  }
}
