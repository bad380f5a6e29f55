package io.rowtime.log;

import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.fs.Path;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.execution.datasources.HadoopFsRelation;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.StructType;
import scala.Option;
import scala.collection.immutable.Map;
import scala.collection.immutable.Map$;
import scala.jdk.javaapi.CollectionConverters;

/** Reads the files of one version of a table as a DataFrame. */
public final class LogFiles {
  /**
   * Times before 1900 are in the calendar that Spark uses too; without this option Spark asks which program wrote the
   * file.
   */
  private static final Map<String, String> OPTIONS = Map$.MODULE$.from(CollectionConverters.asScala(java.util.Map.of(
      "datetimeRebaseMode", "CORRECTED", "int96RebaseMode", "CORRECTED",
      // A bit that flipped on the disk must be an error, and not a different row.
      "parquet.page.verify-checksum.enabled", "true")));

  private LogFiles() {}

  /**
   * Returns the rows of some data files of a table.
   *
   * @param folder the URI of the table's folder
   * @param schema the table's columns, as in Delta's metadata: Spark's JSON of a StructType
   * @param files one line per file: its size in bytes, a space, and its path as in the log
   */
  public static Dataset<Row> read(SparkSession spark, String folder, String schema, String files) {
    List<DataFile> listed = new ArrayList<>();
    files.lines().forEach(line -> {
      int space = line.indexOf(' ');
      listed.add(new DataFile(line.substring(space + 1), Long.parseLong(line.substring(0, space)), Long.MAX_VALUE));
    });
    StructType columns = (StructType) DataType.fromJson(schema);
    return spark.baseRelationToDataFrame(relation(spark, new Path(folder), columns, listed));
  }

  static HadoopFsRelation relation(SparkSession spark, Path folder, StructType columns, List<DataFile> files) {
    return new HadoopFsRelation(new ListedFiles(folder, files), new StructType(), columns, Option.empty(),
        LogFormat.of(folder), OPTIONS, spark);
  }
}
