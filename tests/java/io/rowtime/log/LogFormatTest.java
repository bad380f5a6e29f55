package io.rowtime.log;

import static org.junit.Assert.assertNotSame;
import static org.junit.Assert.assertSame;

import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.spark.sql.classic.SparkSession;
import org.apache.spark.sql.execution.datasources.FileFormat;
import org.apache.spark.sql.execution.datasources.parquet.ParquetFileFormat;
import org.apache.spark.sql.sources.Filter;
import org.apache.spark.sql.sources.IsNotNull;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.junit.AfterClass;
import org.junit.BeforeClass;
import org.junit.Test;
import scala.collection.immutable.Map;
import scala.collection.immutable.Map$;
import scala.jdk.javaapi.CollectionConverters;

/** The micro-batches of a query read the files of a log with one reader, which is sent to the tasks once. */
public final class LogFormatTest {
  private static final StructType COLUMNS = new StructType().add("n", DataTypes.IntegerType).add("m", DataTypes.IntegerType);
  private static final Map<String, String> OPTIONS =
      Map$.MODULE$.from(CollectionConverters.asScala(java.util.Map.of(FileFormat.OPTION_RETURNING_BATCH(), "true")));
  private static SparkSession spark;

  private final ParquetFileFormat format = LogFormat.of(new Path("file:/log"));

  @BeforeClass public static void start() {
    spark = SparkSession.builder().master("local[1]").config("spark.ui.enabled", "false").config("spark.driver.host", "127.0.0.1")
        .config("spark.driver.bindAddress", "127.0.0.1").getOrCreate();
  }

  @AfterClass public static void stop() {
    spark.stop();
  }

  private Object reader(ParquetFileFormat of, StructType required, Filter... filters) {
    return of.buildReaderWithPartitionValues(spark, COLUMNS, new StructType(), required, CollectionConverters.asScala(List.of(filters)).toSeq(),
        OPTIONS, new Configuration(false));
  }

  @Test public void theNextMicroBatchHasTheSameReader() {
    Object first = reader(format, COLUMNS, new IsNotNull("n"));
    assertSame(first, reader(format, COLUMNS.copy(COLUMNS.fields()), new IsNotNull("n")));
  }

  @Test public void otherColumnsAndFiltersHaveAnotherReader() {
    Object first = reader(format, COLUMNS, new IsNotNull("n"));
    Object other = reader(format, new StructType().add("n", DataTypes.IntegerType), new IsNotNull("n"));
    assertNotSame(first, other);
    assertNotSame(other, reader(format, new StructType().add("n", DataTypes.IntegerType)));
  }

  @Test public void anotherQueryHasAnotherReader() {
    assertNotSame(reader(format, COLUMNS), reader(LogFormat.of(new Path("file:/log")), COLUMNS));
  }
}
