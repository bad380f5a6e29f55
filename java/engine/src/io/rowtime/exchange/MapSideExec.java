package io.rowtime.exchange;

import java.io.Serializable;
import java.util.List;
import org.apache.spark.rdd.RDD;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.UnsafeProjection;
import org.apache.spark.sql.catalyst.types.DataTypeUtils;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.types.StructType;
import scala.collection.Iterator;
import scala.collection.immutable.IndexedSeq;
import scala.collection.immutable.Seq;
import scala.jdk.javaapi.CollectionConverters;
import scala.reflect.ClassTag$;
import scala.runtime.AbstractFunction1;

/**
 * The results of the rows in a task's {@link MapSideBuffer}, in one node: Spark's plan has four, each of which costs each
 * micro-batch its planning, and each task its reading.
 */
public final class MapSideExec extends SparkPlan {
  private static final long serialVersionUID = 1L;

  private final Seq<Attribute> columns;
  private final MapSideOutput results;
  private final SparkPlan rows;

  /** The constructor that Spark uses for copies. */
  public MapSideExec(Seq<Attribute> columns, MapSideOutput results, SparkPlan rows) {
    this.columns = columns;
    this.results = results;
    this.rows = rows;
  }

  @Override public Seq<Attribute> output() {
    return columns;
  }

  @Override public RDD<InternalRow> doExecute() {
    return rows.execute().mapPartitionsInternal(new Written(results, DataTypeUtils.fromAttributes(columns)), false,
        ClassTag$.MODULE$.apply(InternalRow.class));
  }

  @Override public Seq<SparkPlan> children() {
    return CollectionConverters.asScala(List.of(rows)).toSeq();
  }

  @Override public SparkPlan withNewChildrenInternal(IndexedSeq<SparkPlan> children) {
    return new MapSideExec(columns, results, children.head());
  }

  @Override public int productArity() {
    return 3;
  }

  @Override public Object productElement(int number) {
    return switch (number) {
      case 0 -> columns;
      case 1 -> results;
      default -> rows;
    };
  }

  @Override public boolean canEqual(Object other) {
    return other instanceof MapSideExec;
  }

  /** Writes the results as Spark's rows. */
  private static final class Written extends AbstractFunction1<Iterator<InternalRow>, Iterator<InternalRow>> implements Serializable {
    private static final long serialVersionUID = 1L;

    private final MapSideOutput results;
    private final StructType schema;

    Written(MapSideOutput results, StructType schema) {
      this.results = results;
      this.schema = schema;
    }

    @Override public Iterator<InternalRow> apply(Iterator<InternalRow> rows) {
      UnsafeProjection written = UnsafeProjection.create(schema);
      return results.apply(rows).map(new AbstractFunction1<InternalRow, InternalRow>() {
        @Override public InternalRow apply(InternalRow row) {
          return written.apply(row);
        }
      });
    }
  }
}
