package io.rowtime.microbatch;

import io.rowtime.spark.ScalaSeq;
import java.util.List;
import org.apache.spark.Dependency;
import org.apache.spark.OneToOneDependency;
import org.apache.spark.Partition;
import org.apache.spark.TaskContext;
import org.apache.spark.rdd.RDD;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.MutableProjection;
import org.apache.spark.sql.catalyst.expressions.MutableProjection$;
import org.apache.spark.sql.catalyst.expressions.NamedExpression;
import org.apache.spark.sql.catalyst.expressions.aggregate.AggregateExpression;
import org.apache.spark.sql.execution.aggregate.HashAggregateExec;
import org.apache.spark.sql.execution.aggregate.TungstenAggregationIterator;
import org.apache.spark.sql.execution.metric.SQLMetric;
import scala.Option;
import scala.collection.Iterator;
import scala.collection.immutable.Seq;
import scala.reflect.ClassTag$;
import scala.runtime.AbstractFunction2;

/**
 * The groups of a hash aggregation that is interpreted. Spark's own is a closure over its plan: to check it takes longer than to
 * aggregate a few rows, and each task reads all of it.
 */
final class TaskAggregate extends RDD<InternalRow> {
  private static final long serialVersionUID = 1L;
  /** Whether Spark's iterator over groups has the parameters that are passed to it here, which another version of Spark may not have. */
  private static final boolean HAS_ITERATOR = TungstenAggregationIterator.class.getConstructors()[0].getParameterCount() == 15;

  private final RDD<InternalRow> rows;
  private final Seq<Attribute> columns;
  private final Seq<NamedExpression> keys;
  private final Seq<AggregateExpression> calls;
  private final Seq<Attribute> callColumns;
  private final int firstBuffer;
  private final Seq<NamedExpression> results;
  private final SQLMetric outputRows;
  private final SQLMetric peakMemory;
  private final SQLMetric spillSize;
  private final SQLMetric avgHashProbe;
  private final SQLMetric fallenBack;

  /** @param node see {@link #computes} */
  TaskAggregate(HashAggregateExec node, RDD<InternalRow> rows) {
    super(rows.context(), ScalaSeq.<Dependency<?>>of(List.of(new OneToOneDependency<>(rows))), ClassTag$.MODULE$.apply(InternalRow.class));
    this.rows = rows;
    columns = node.inputAttributes();
    keys = node.groupingExpressions();
    calls = node.aggregateExpressions();
    callColumns = node.aggregateAttributes();
    firstBuffer = node.initialInputBufferOffset();
    results = node.resultExpressions();
    outputRows = node.longMetric("numOutputRows");
    peakMemory = node.longMetric("peakMemory");
    spillSize = node.longMetric("spillSize");
    avgHashProbe = node.longMetric("avgHashProbe");
    fallenBack = node.longMetric("numTasksFallBacked");
  }

  /** Returns whether the groups of a node can be computed so. */
  static boolean computes(HashAggregateExec node) {
    return HAS_ITERATOR && node.groupingExpressions().nonEmpty();
  }

  @Override public Partition[] getPartitions() {
    return rows.partitions();
  }

  @Override public Iterator<InternalRow> compute(Partition partition, TaskContext context) {
    Iterator<InternalRow> read = rows.iterator(partition, context);
    if (!read.hasNext()) {
      return read;
    }
    @SuppressWarnings({"unchecked", "rawtypes"})
    Iterator<InternalRow> groups = (Iterator) new TungstenAggregationIterator(partition.index(), keys, calls, callColumns, firstBuffer, results,
        new Projections(), columns, read, Option.empty(), outputRows, peakMemory, spillSize, avgHashProbe, fallenBack);
    return groups;
  }

  private static final class Projections extends AbstractFunction2<Seq<Expression>, Seq<Attribute>, MutableProjection> {
    @Override public MutableProjection apply(Seq<Expression> expressions, Seq<Attribute> of) {
      return MutableProjection$.MODULE$.create(expressions, of);
    }
  }
}
