package io.rowtime.operator.search;

import io.rowtime.jdbc.DatabaseTable;
import io.rowtime.jdbc.KeyedTable;
import io.rowtime.operator.spec.OperatorSpec;
import io.rowtime.operator.spec.SearchKeySpec;
import io.rowtime.spark.BoundExpressions;
import io.rowtime.spark.Frames;
import io.rowtime.spark.InternalRows;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.UUID;
import org.apache.spark.SparkEnv;
import org.apache.spark.api.java.function.MapPartitionsFunction;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.BasePredicate;
import org.apache.spark.sql.catalyst.expressions.BoundReference;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.Predicate$;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.execution.UnsafeExternalRowSorter;
import org.apache.spark.sql.execution.datasources.jdbc.DriverRegistry;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.unsafe.hash.Murmur3_x86_32;
import org.apache.spark.util.collection.unsafe.sort.PrefixComparators;
import scala.jdk.javaapi.CollectionConverters;

/** SEARCH_KEY as a function of DataFrames, called from Python. */
public final class SearchKeyOperator {
  private SearchKeyOperator() {}

  /**
   * Looks up rows of a table over JDBC. All rows with the same key go to one task, so a key is looked up once per
   * micro-batch, or once per relational query.
   *
   * @param rows a DataFrame, streaming or not; none of its columns may have Spark's event-time tag
   * @param table the table
   * @param json a {@link SearchKeySpec} as JSON
   * @param condition a condition over the columns of the result, as Spark SQL; null if the keys are the whole condition
   * @return the columns of {@code rows} without the keys, followed by those that are found
   */
  public static SearchResult jdbc(Dataset<Row> rows, DatabaseTable table, String json, String condition) {
    SearchKeySpec spec = OperatorSpec.read(SearchKeySpec.class, json);
    SparkSession spark = rows.sparkSession();
    StructType input = rows.schema();
    Expression[] values = BoundExpressions.of(spark, KeyedTable.fetchedColumns(table, spec), spec.found().stream().map(found -> value(found, spec)).toList());
    StructType found = new StructType();
    for (int i = 0; i < values.length; i++) {
      found = found.add(spec.found().get(i).name(), values[i].dataType(), true);
    }
    List<String> columns = Arrays.stream(input.fieldNames()).filter(name -> !spec.keys().contains(name)).toList();
    StructType output = new StructType();
    for (String column : columns) {
      output = output.add(input.apply(column));
    }
    for (StructField field : found.fields()) {
      output = output.add(field);
    }
    Expression bound = condition == null ? null : BoundExpressions.of(spark, output, List.of(condition))[0];
    SearchMetrics metrics = SearchMetrics.of(spark.sparkContext());
    Task task = new Task(UUID.randomUUID().toString(), spec, table, metrics, input, columns, found, values, bound);
    Dataset<Row> given = rows;
    Column[] keys = Frames.columns(spec.keys());
    if (!spec.isOuter()) {
      for (Column key : keys) {
        given = given.filter(key.isNotNull());
      }
    }
    Dataset<Row> made = given.repartition(keys).as(InternalRows.encoder(input)).mapPartitions(task, InternalRows.encoder(output)).toDF();
    return new SearchResult(made, metrics);
  }

  /** Returns the value of a result column over what the driver returns. Approximate numbers have two zeros, which are one key. */
  private static String value(SearchKeySpec.Found found, SearchKeySpec spec) {
    boolean isApproximate = found.sparkType().equals("FLOAT") || found.sparkType().equals("DOUBLE");
    String typed = "CAST(" + found.name() + " AS " + found.sparkType() + ")";
    return isApproximate && spec.searched().contains(found.name()) ? typed + " + 0" : typed;
  }

  /** The work of each task. */
  static final class Task implements MapPartitionsFunction<InternalRow, InternalRow> {
    private static final long serialVersionUID = 1L;

    private final String id;
    private final SearchKeySpec spec;
    private final DatabaseTable table;
    private final SearchMetrics metrics;
    private final StructType input;
    private final List<String> columns;
    private final StructType found;
    private final Expression[] values;
    private final Expression condition;
    private transient UnsafeProjection keyOf;
    private transient int[] keys;

    private Task(String id, SearchKeySpec spec, DatabaseTable table, SearchMetrics metrics, StructType input, List<String> columns, StructType found,
        Expression[] values, Expression condition) {
      this.id = id;
      this.spec = spec;
      this.table = table;
      this.metrics = metrics;
      this.input = input;
      this.columns = columns;
      this.found = found;
      this.values = values;
      this.condition = condition;
    }

    @Override public Iterator<InternalRow> call(Iterator<InternalRow> rows) throws IOException {
      Task task = new Task(id, spec, table, metrics, input, columns, found, values, condition);
      return task.open(rows);
    }

    private Iterator<InternalRow> open(Iterator<InternalRow> rows) throws IOException {
      keys = spec.keys().stream().mapToInt(input::fieldIndex).toArray();
      keyOf = KeyProjection.projection(input, spec.keys());
      if (!rows.hasNext()) {
        return rows;
      }
      DriverRegistry.register(table.database().driver());
      Searcher searcher = Searcher.of(id, table, spec, KeyProjection.schema(input, spec.keys()));
      KeySearch search = new KeySearch(searcher, spec, table.owner(), metrics, projection(List.of(values)),
          KeyProjection.projection(found, spec.searched()));
      List<Expression> outputs = new ArrayList<>(references(input, columns));
      for (int i = 0; i < found.length(); i++) {
        outputs.add(new BoundReference(input.length() + i, found.apply(i).dataType(), true));
      }
      BasePredicate predicate = condition == null ? null : Predicate$.MODULE$.create(condition);
      return new SearchedRows(byKey(rows), this, search, projection(outputs), predicate, found.length());
    }

    /** Sorts the rows so that equal keys follow one another; the rows may be larger than the memory. */
    @SuppressWarnings({"unchecked", "rawtypes"})
    private scala.collection.Iterator<InternalRow> byKey(Iterator<InternalRow> rows) throws IOException {
      UnsafeExternalRowSorter sorter = UnsafeExternalRowSorter.create(input, scala.math.Ordering$.MODULE$.comparatorToOrdering(
          (InternalRow unusedLeft, InternalRow unusedRight) -> 0), PrefixComparators.LONG, new KeyHash(), SparkEnv.get().memoryManager().pageSizeBytes(), true);
      return sorter.sort((scala.collection.Iterator) CollectionConverters.asScala(rows));
    }

    private final class KeyHash extends UnsafeExternalRowSorter.PrefixComputer {
      private final Prefix prefix = new Prefix();

      @Override public Prefix computePrefix(InternalRow row) {
        UnsafeRow key = key((UnsafeRow) row);
        prefix.isNull = false;
        prefix.value = key == null ? Long.MIN_VALUE : (long) hash(key, 42) << 32 | hash(key, 7) & 0xFFFFFFFFL;
        return prefix;
      }

      private int hash(UnsafeRow key, int seed) {
        return Murmur3_x86_32.hashUnsafeWords(key.getBaseObject(), key.getBaseOffset(), key.getSizeInBytes(), seed);
      }
    }

    /** Returns the key of a row, valid until the next call; null if the key finds nothing. */
    UnsafeRow key(UnsafeRow row) {
      for (int key : keys) {
        if (row.isNullAt(key)) {
          return null;
        }
      }
      return keyOf.apply(row);
    }

    /** Returns how many keys are looked up at once. */
    int keysAtOnce() {
      return spec.batchSize() * spec.capacity();
    }

    boolean isOuter() {
      return spec.isOuter();
    }

    private static UnsafeProjection projection(List<Expression> expressions) {
      return UnsafeProjection.create(CollectionConverters.asScala(expressions).toSeq());
    }

    private static List<Expression> references(StructType schema, List<String> names) {
      List<String> all = Arrays.asList(schema.fieldNames());
      List<Expression> references = new ArrayList<>();
      for (String name : names) {
        references.add(new BoundReference(all.indexOf(name), schema.apply(name).dataType(), true));
      }
      return references;
    }
  }
}
