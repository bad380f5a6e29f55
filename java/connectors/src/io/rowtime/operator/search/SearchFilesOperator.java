package io.rowtime.operator.search;

import io.rowtime.lookup.SnapshotProvider;
import io.rowtime.operator.spec.OperatorSpec;
import io.rowtime.operator.spec.SearchFilesSpec;
import io.rowtime.spark.Frames;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.types.DataTypeUtils;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import scala.jdk.javaapi.CollectionConverters;

/** SEARCH_KEY of tables of files as a function of DataFrames, called from Python. */
public final class SearchFilesOperator {
  private SearchFilesOperator() {}

  /**
   * Looks up the rows of a table of files.
   *
   * @param rows a DataFrame, streaming or not; none of its columns may have Spark's event-time tag
   * @param now the columns of the table to return, under names that {@code rows} does not have; its session reads the
   *     table
   * @param table the table's contents in each micro-batch; null to use {@code now}
   * @param json a {@link SearchFilesSpec} as JSON
   * @param condition a condition over the columns of both, as Spark SQL; null if the keys are the whole condition
   */
  public static SearchResult of(Dataset<Row> rows, Dataset<Row> now, SnapshotProvider table, String json, String condition) {
    SearchFilesSpec spec = OperatorSpec.read(SearchFilesSpec.class, json);
    SearchMetrics metrics = SearchMetrics.of(rows.sparkSession().sparkContext());
    StructType found = new StructType();
    for (StructField field : now.schema().fields()) {
      found = found.add(field.name(), field.dataType(), true);
    }
    FileSearch search = new FileSearch(spec, condition, table == null ? new Fixed(now) : table, now.sparkSession(), found, rows.schema(), metrics);
    SearchedFilesStrategy.add(rows.sparkSession());
    LogicalPlan child = ((org.apache.spark.sql.classic.Dataset<Row>) rows).queryExecution().analyzed();
    List<Attribute> attributes = new ArrayList<>(CollectionConverters.asJava(DataTypeUtils.toAttributes(found)));
    SearchedFiles plan = new SearchedFiles(child.output(), CollectionConverters.asScala(attributes).toSeq(), search, child);
    return new SearchResult(Frames.of(rows.sparkSession(), plan), metrics);
  }

  /** The table in a query that runs once. */
  private record Fixed(Dataset<Row> now) implements SnapshotProvider {
    @Override public String version(String query, long batch) {
      return "";
    }

    @Override public Dataset<Row> rows(String query, long batch) {
      return now;
    }

    @Override public String failure() {
      return "";
    }
  }
}
