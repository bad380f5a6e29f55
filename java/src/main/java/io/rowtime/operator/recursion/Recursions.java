package io.rowtime.operator.recursion;

import io.rowtime.operator.spec.OperatorSpec;
import io.rowtime.operator.spec.RecursionSpec;
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
 * WITH RECURSIVE over relations: a query is evaluated over the rows that came last, until none come.
 *
 * <p>Few rows are kept as constants, which Spark's optimizer computes with, where the query allows it, without a job.
 */
public final class Recursions {
  /** Where the rows of a recursion are to be read: in the metadata of the columns, its number. */
  private static final String NUMBER = "rowtime.recursion";
  private static final int FEW = 10_000;

  private final SparkSession spark;
  private final boolean all;
  private final Seq<Attribute> output;
  /** Makes rows that are equal the same bytes; null if those of equal values may differ. */
  private final UnsafeProjection distinctRows;
  private final Set<UnsafeRow> seen = new HashSet<>();
  private final List<InternalRow> few = new ArrayList<>();
  private final List<LogicalPlan> many = new ArrayList<>();

  private Recursions(Dataset<Row> first, boolean all) {
    this.all = all;
    spark = first.sparkSession();
    List<Attribute> columns = new ArrayList<>();
    // What is never NULL in the first rows may be so in later ones.
    CollectionConverters.asJava(first.queryExecution().analyzed().output()).forEach(column -> columns.add(column.withNullability(true)));
    output = CollectionConverters.asScala(columns).toSeq();
    boolean plain = Arrays.stream(first.schema().fields()).allMatch(field -> field.dataType() instanceof AtomicType
        && !field.dataType().equals(DataTypes.DoubleType) && !field.dataType().equals(DataTypes.FloatType));
    distinctRows = plain ? UnsafeProjection.create(first.schema()) : null;
  }

  /**
   * What stands for the rows of a recursion that came last, in the query that makes further ones of them.
   *
   * @param schema their columns, as JSON
   * @param recursion its number, unlike that of others in the plan
   */
  public static Dataset<Row> latest(SparkSession spark, String schema, int recursion) {
    Metadata number = new MetadataBuilder().putLong(NUMBER, recursion).build();
    StructField[] fields = Arrays.stream(((StructType) StructType.fromJson(schema)).fields())
        .map(field -> new StructField(field.name(), field.dataType(), true, number)).toArray(StructField[]::new);
    // Rows that the optimizer knows nothing of; those of a list without any it would leave out.
    return spark.createDataFrame(spark.emptyDataFrame().javaRDD(), new StructType(fields));
  }

  /**
   * All rows of a recursion; it runs while it is made.
   *
   * @param first the rows with which it begins
   * @param step the query that makes further ones, of the same columns, with {@link #latest} in it
   * @param spec a {@link RecursionSpec} as JSON
   * @return null if there would be more
   */
  public static Dataset<Row> run(Dataset<Row> first, Dataset<Row> step, String spec) {
    RecursionSpec asked = OperatorSpec.read(RecursionSpec.class, spec);
    Recursions found = new Recursions(first, asked.all());
    // Optimized once as far as it goes without knowing the rows: what its tables hold is looked up then.
    LogicalPlan query = step.queryExecution().optimizedPlan();
    LogicalPlan latest = found.add(first);
    for (int level = 0; latest != null; level++) {
      if (level > asked.most() && asked.most() >= 0) {
        return null;
      }
      latest = found.add(found.of(over(query, asked.recursion(), latest)));
    }
    return found.rows();
  }

  /** Evaluates rows and keeps them, all or the new ones; gives a plan of those, or null if there are none. */
  private LogicalPlan add(Dataset<Row> given) {
    boolean byDriver = distinctRows != null && many.isEmpty();
    Dataset<Row> rows = all || byDriver ? given : given.except(rows());
    if (rows.queryExecution().optimizedPlan() instanceof LocalRelation local) {
      return few(CollectionConverters.asJava(local.data()));
    }
    Dataset<Row> stored = rows.localCheckpoint(true);
    InternalRow[] some = stored.queryExecution().executedPlan().executeTake(FEW + 1);
    if (some.length <= FEW) {
      return few(List.of(some));
    }
    if (!all && byDriver) {
      // Those that have come are too many for the driver to look at.
      stored = stored.except(rows()).localCheckpoint(true);
    }
    // Its columns have the numbers that those of the query have, which is to read them: the optimizer would mix them up.
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

  /** The query with the {@code rows} where those of the recursion are read. */
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
