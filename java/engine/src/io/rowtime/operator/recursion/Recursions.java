package io.rowtime.operator.recursion;

import io.rowtime.spark.Frames;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.Alias;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.NamedExpression;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.catalyst.plans.logical.LocalRelation;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.plans.logical.Project;
import org.apache.spark.sql.catalyst.plans.logical.Union;
import org.apache.spark.sql.execution.LogicalRDD;
import org.apache.spark.sql.types.AtomicType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.Metadata;
import org.apache.spark.sql.types.MetadataBuilder;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;
import scala.Option;
import scala.collection.immutable.Seq;
import scala.jdk.javaapi.CollectionConverters;
import scala.runtime.AbstractPartialFunction;

/**
 * Runs WITH RECURSIVE over relations: evaluates a query over the rows of its previous step until there are no more.
 *
 * <p>If the query allows it, few rows are kept as constants, over which Spark's optimizer evaluates the query without a
 * job.
 */
public final class Recursions {
  /**
   * The metadata key of the columns from which the rows of a recursion are read; its value is the recursion's number.
   */
  private static final String NUMBER = "rowtime.recursion";
  private static final int MAX_CONSTANT_ROWS = 10_000;

  private final SparkSession spark;
  private final boolean all;
  private final Seq<Attribute> output;
  /** Converts equal rows to the same bytes; null if rows with equal values may have different bytes. */
  private final UnsafeProjection distinctRows;
  private final Set<UnsafeRow> seen = new HashSet<>();
  private final List<InternalRow> few = new ArrayList<>();
  private final List<LogicalPlan> many = new ArrayList<>();

  private Recursions(Dataset<Row> first, boolean all) {
    this.all = all;
    spark = first.sparkSession();
    List<Attribute> columns = new ArrayList<>();
    // A column that is never NULL in the first rows may be NULL in later ones.
    CollectionConverters.asJava(first.queryExecution().analyzed().output()).forEach(column -> columns.add(column.withNullability(true)));
    output = CollectionConverters.asScala(columns).toSeq();
    boolean plain = Arrays.stream(first.schema().fields()).allMatch(field -> field.dataType() instanceof AtomicType
        && !field.dataType().equals(DataTypes.DoubleType) && !field.dataType().equals(DataTypes.FloatType));
    distinctRows = plain ? UnsafeProjection.create(first.schema()) : null;
  }

  /**
   * Returns a placeholder for the rows of a recursion's previous step, for use in the query of the next step.
   *
   * @param schema the columns of the rows, as JSON
   * @param recursion the number of the recursion, unique in the plan
   */
  public static Dataset<Row> latest(SparkSession spark, String schema, int recursion) {
    Metadata number = new MetadataBuilder().putLong(NUMBER, recursion).build();
    StructField[] fields = Arrays.stream(((StructType) StructType.fromJson(schema)).fields())
        .map(field -> new StructField(field.name(), field.dataType(), true, number)).toArray(StructField[]::new);
    // The optimizer must not know the rows; it would remove an empty list.
    return spark.createDataFrame(spark.emptyDataFrame().javaRDD(), new StructType(fields));
  }

  /**
   * Returns all rows of a recursion, which runs during this call.
   *
   * @param first the initial rows
   * @param step the query of a step, with the same columns, which reads {@link #latest}
   * @param recursion the number of the recursion, unique in the plan
   * @param all whether duplicates of earlier rows are kept
   * @param most the maximum number of steps that return rows; -1 for no limit
   * @return null if there are more rows than the limit
   */
  public static Dataset<Row> run(Dataset<Row> first, Dataset<Row> step, int recursion, boolean all, int most) {
    Recursions found = new Recursions(first, all);
    // Optimize once what does not depend on the rows, including the look-up of table contents.
    LogicalPlan query = step.queryExecution().optimizedPlan();
    LogicalPlan latest = found.add(first);
    for (int level = 0; latest != null; level++) {
      if (level > most && most >= 0) {
        return null;
      }
      latest = found.add(found.of(over(query, recursion, latest)));
    }
    return found.rows();
  }

  /** Evaluates rows and keeps all, or only the new ones; returns a plan of those, or null if there are none. */
  private LogicalPlan add(Dataset<Row> given) {
    boolean byDriver = distinctRows != null && many.isEmpty();
    Dataset<Row> rows = all || byDriver ? given : given.except(rows());
    if (rows.queryExecution().optimizedPlan() instanceof LocalRelation local) {
      return few(CollectionConverters.asJava(local.data()));
    }
    Dataset<Row> stored = rows.localCheckpoint(true);
    InternalRow[] some = stored.queryExecution().executedPlan().executeTake(MAX_CONSTANT_ROWS + 1);
    if (some.length <= MAX_CONSTANT_ROWS) {
      return few(List.of(some));
    }
    if (!all && byDriver) {
      // There are too many rows to check on the driver.
      stored = stored.except(rows()).localCheckpoint(true);
    }
    // Reading a plan needs new column ids; the optimizer would confuse these columns with those of the query.
    many.add((LogicalPlan) ((LogicalRDD) stored.queryExecution().analyzed()).newInstance());
    return many.get(many.size() - 1);
  }

  private LogicalPlan few(List<InternalRow> rows) {
    List<InternalRow> added = all || distinctRows == null ? rows
        : rows.stream().filter(row -> seen.add(distinctRows.apply(row).copy())).toList();
    few.addAll(added);
    return added.isEmpty() ? null : local(added);
  }

  private LogicalPlan local(List<InternalRow> rows) {
    return new LocalRelation(output, CollectionConverters.asScala(rows).toSeq(), false, Option.empty());
  }

  private Dataset<Row> rows() {
    List<LogicalPlan> parts = new ArrayList<>(many);
    if (!few.isEmpty() || many.isEmpty()) {
      parts.add(local(List.copyOf(few)));
    }
    return of(parts.size() == 1 ? parts.get(0) : new Union(CollectionConverters.asScala(parts).toSeq(), false, false));
  }

  private Dataset<Row> of(LogicalPlan plan) {
    return Frames.of(spark, plan);
  }

  /** Returns the query with the placeholder of the recursion replaced by {@code rows}. */
  private static LogicalPlan over(LogicalPlan query, int recursion, LogicalPlan rows) {
    return query.transform(new AbstractPartialFunction<LogicalPlan, LogicalPlan>() {
      @Override public boolean isDefinedAt(LogicalPlan plan) {
        if (!(plan instanceof LogicalRDD) || plan.output().isEmpty()) {
          return false;
        }
        Metadata metadata = plan.output().head().metadata();
        return metadata.contains(NUMBER) && metadata.getLong(NUMBER) == recursion;
      }

      @Override public LogicalPlan apply(LogicalPlan place) {
        List<NamedExpression> columns = new ArrayList<>();
        for (int i = 0; i < place.output().size(); i++) {
          Attribute column = place.output().apply(i);
          columns.add(new Alias(rows.output().apply(i), column.name(), column.exprId(), column.qualifier(), Option.empty(),
              CollectionConverters.asScala(List.<String>of()).toSeq()));
        }
        return new Project(CollectionConverters.asScala(columns).toSeq(), rows);
      }
    });
  }
}
