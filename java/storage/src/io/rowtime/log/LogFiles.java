package io.rowtime.log;

import io.rowtime.spark.Frames;
import java.net.URI;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.fs.Path;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.expressions.Alias;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.Literal;
import org.apache.spark.sql.catalyst.expressions.NamedExpression;
import org.apache.spark.sql.catalyst.expressions.objects.Invoke;
import org.apache.spark.sql.catalyst.plans.logical.Filter;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.plans.logical.Project;
import org.apache.spark.sql.execution.datasources.HadoopFsRelation;
import org.apache.spark.sql.execution.datasources.LogicalRelation$;
import org.apache.spark.sql.execution.datasources.parquet.ParquetFileFormat;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.ObjectType;
import org.apache.spark.sql.types.StructType;
import scala.Option;
import scala.collection.immutable.Map$;
import scala.collection.immutable.Seq;
import scala.jdk.javaapi.CollectionConverters;

/** Reads the files of one version of a table as a DataFrame. */
public final class LogFiles {
  /**
   * Times before 1900 are in the calendar that Spark uses too; without this option Spark asks which program wrote the
   * file.
   */
  private static final scala.collection.immutable.Map<String, String> OPTIONS = Map$.MODULE$.from(CollectionConverters.asScala(Map.of(
      "datetimeRebaseMode", "CORRECTED", "int96RebaseMode", "CORRECTED",
      // A bit that flipped on the disk must be an error, and not a different row.
      "parquet.page.verify-checksum.enabled", "true")));

  private static final String FILE = "$file";
  private static final String ROW = "$row";
  private static final String LIVES = "$lives";

  private LogFiles() {}

  /**
   * Returns the rows of some data files of a table that are not deleted.
   *
   * @param folder the URI of the table's folder
   * @param schema the table's columns, as in Delta's metadata: Spark's JSON of a StructType
   * @param files one line per file: its size in bytes, its deletion vector (see {@link DeletionVector}), and its path as in
   *        the log, with spaces between them
   */
  public static Dataset<Row> read(SparkSession spark, String folder, String schema, String files) {
    Map<String, String> deleted = new HashMap<>();
    Dataset<Row> rows = read(spark, folder, schema, files, deleted);
    deleted.values().removeIf(DeletionVector.NONE::equals);
    if (deleted.isEmpty()) {
      return rows;
    }
    LogicalPlan placed = placed(rows);
    Expression isKept = call(new DeletedRows(deleted), "isKept", DataTypes.BooleanType, placed);
    return Frames.of(spark, new Filter(isKept, placed)).drop(FILE, ROW);
  }

  /**
   * Returns all rows that data files of a table ever had, with the times between which the table had them: columns {@code
   * $from} and {@code $to}, see {@link RowLives#TYPE}.
   *
   * @param files one line per file: its size in bytes, its lives (see {@link RowLives}), and its path as in the log, with
   *        spaces between them
   */
  public static Dataset<Row> readLives(SparkSession spark, String folder, String schema, String files) {
    Map<String, String> lives = new HashMap<>();
    LogicalPlan placed = placed(read(spark, folder, schema, files, lives));
    List<NamedExpression> columns = new ArrayList<>(CollectionConverters.asJava(placed.output()));
    columns.add(new Alias(call(new RowLives(lives), "of", RowLives.TYPE, placed), LIVES, NamedExpression.newExprId(),
        sequence(List.of()), Option.empty(), sequence(List.of())));
    return Frames.of(spark, new Project(sequence(columns), placed)).selectExpr("*", "inline(`" + LIVES + "`)")
        .drop(FILE, ROW, LIVES);
  }

  /** How often a row is added; below 0 if it is removed. */
  static final String CHANGE = "$change";

  /**
   * Returns the rows that data files add to a table, and remove from it, with a column {@link #CHANGE}; {@code streaming}: for a
   * streaming query.
   *
   * @param files one line per file: its size in bytes, what happens to it (see {@link RowChanges}), and its path as in the log, with
   *        spaces between them
   */
  static Dataset<Row> readChanges(SparkSession spark, String folder, String schema, String files, boolean streaming) {
    Map<String, String> changes = new HashMap<>();
    HadoopFsRelation relation = relation(spark, folder, schema, files, changes);
    LogicalPlan placed = placed(Frames.of(spark, LogicalRelation$.MODULE$.apply(relation, streaming)));
    List<NamedExpression> columns = new ArrayList<>(CollectionConverters.asJava(placed.output()));
    columns.add(new Alias(call(new RowChanges(changes), "of", DataTypes.LongType, placed), CHANGE, NamedExpression.newExprId(),
        sequence(List.of()), Option.empty(), sequence(List.of())));
    return Frames.of(spark, new Project(sequence(columns), placed)).where("`" + CHANGE + "` <> 0").drop(FILE, ROW);
  }

  /** Reads whole files. What a line says of a file, between its size and its path, is put into {@code said}. */
  private static Dataset<Row> read(SparkSession spark, String folder, String schema, String files, Map<String, String> said) {
    return spark.baseRelationToDataFrame(relation(spark, folder, schema, files, said));
  }

  private static HadoopFsRelation relation(SparkSession spark, String folder, String schema, String files, Map<String, String> said) {
    List<DataFile> listed = new ArrayList<>();
    files.lines().forEach(line -> {
      String[] parts = line.split(" ", 3);
      DataFile file = new DataFile(parts[2], Long.parseLong(parts[0]), Long.MAX_VALUE);
      listed.add(file);
      said.put(file.in(new Path(URI.create(folder))).getName(), parts[1]);
    });
    return relation(spark, new Path(URI.create(folder)), (StructType) DataType.fromJson(schema), listed);
  }

  /** Returns the rows with the name of their file and their position in it, as the last two columns. */
  private static LogicalPlan placed(Dataset<Row> rows) {
    Dataset<Row> placed = rows.selectExpr("*", "_metadata.file_name AS `" + FILE + "`", "_metadata.row_index AS `" + ROW + "`");
    return ((org.apache.spark.sql.classic.Dataset<Row>) placed).queryExecution().analyzed();
  }

  /** Returns a call of a method of an object with the place of a row. */
  private static Expression call(Object of, String method, DataType result, LogicalPlan placed) {
    List<Attribute> columns = CollectionConverters.asJava(placed.output());
    List<Expression> place = List.copyOf(columns.subList(columns.size() - 2, columns.size()));
    return new Invoke(Literal.create(of, new ObjectType(of.getClass())), method, result, sequence(place), sequence(List.of()),
        false, false, true);
  }

  private static <T> Seq<T> sequence(List<T> values) {
    return CollectionConverters.asScala(values).toSeq();
  }

  private static HadoopFsRelation relation(SparkSession spark, Path folder, StructType columns, List<DataFile> files) {
    return relation(spark, folder, columns, files, LogFormat.of(folder));
  }

  static HadoopFsRelation relation(SparkSession spark, Path folder, StructType columns, List<DataFile> files, ParquetFileFormat format) {
    return new HadoopFsRelation(new ListedFiles(folder, files), new StructType(), columns, Option.empty(), format, OPTIONS, spark);
  }
}
