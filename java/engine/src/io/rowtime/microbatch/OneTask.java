package io.rowtime.microbatch;

import io.rowtime.log.SmallBatches;
import io.rowtime.spark.HiddenField;
import io.rowtime.spark.ReadsTwice;
import io.rowtime.spark.ScalaSeq;
import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.apache.spark.Dependency;
import org.apache.spark.Partition;
import org.apache.spark.TaskContext;
import org.apache.spark.rdd.RDD;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.Literal;
import org.apache.spark.sql.catalyst.plans.physical.HashPartitioning;
import org.apache.spark.sql.catalyst.plans.physical.Partitioning;
import org.apache.spark.sql.catalyst.plans.physical.SinglePartition$;
import org.apache.spark.sql.execution.CollectLimitExec;
import org.apache.spark.sql.execution.QueryExecution;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.TakeOrderedAndProjectExec;
import org.apache.spark.sql.execution.aggregate.HashAggregateExec;
import org.apache.spark.sql.execution.exchange.Exchange;
import org.apache.spark.sql.execution.exchange.ReusedExchangeExec;
import org.apache.spark.sql.execution.exchange.ShuffleExchangeExec;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.util.LazyTry;
import scala.collection.Iterator;
import scala.collection.immutable.Seq;
import scala.jdk.javaapi.CollectionConverters;
import scala.reflect.ClassTag$;
import scala.runtime.AbstractFunction0;

/**
 * Computes a small micro-batch in one task. Spark has a stage for each exchange, and a task for each partition of a stage;
 * for a few rows, to start them and to pass rows from one to the next takes longer than to compute the rows. The state of
 * each partition is where it always is.
 */
final class OneTask {
  /** The partitions of an exchange that one task may compute: many are faster in parallel. */
  private static final int PARTITIONS = 4;
  /** The nodes that pass rows to Python, whose functions may take their time. */
  private static final String PYTHON = "org.apache.spark.sql.execution.python.";
  /** What a node has computed, so that it computes it once; without it, Spark computes all micro-batches in its own way. */
  private static final Field COMPUTED = HiddenField.of(SparkPlan.class, "executeRDD", LazyTry.class);

  private OneTask() {}

  /** A node that is computed in another way than Spark's. */
  private record Replacement(SparkPlan node, Supplier<RDD<InternalRow>> rows) {}

  /** Returns the rows of a query's micro-batch: in one partition, if that is small, and one task should compute it. */
  static RDD<InternalRow> rows(QueryExecution query) {
    List<Replacement> replaced = new ArrayList<>();
    if (COMPUTED == null || !query.sparkSession().sparkContext().isLocal() || !SmallBatches.isSmall(query.sparkSession())
        || !collect(query.executedPlan(), replaced)) {
      return query.toRdd();
    }
    replaced.forEach(OneTask::replace);
    return new Gathered(query.toRdd());
  }

  /**
   * Collects the nodes of a plan that are computed in another way: exchanges, groups, and nodes with state. Returns false if one task
   * cannot, or should not, compute the plan.
   */
  private static boolean collect(SparkPlan plan, List<Replacement> replaced) {
    if (plan instanceof ReadsTwice) {
      // Another job would run the exchanges of one task in several tasks, and each of them would run what is below.
      return false;
    }
    if (plan.getClass().getName().startsWith(PYTHON) || plan instanceof CollectLimitExec || plan instanceof TakeOrderedAndProjectExec
        || plan instanceof ReusedExchangeExec || !plan.subqueries().isEmpty()) {
      return false;
    }
    if (plan instanceof ShuffleExchangeExec exchange) {
      if (target(exchange.outputPartitioning()) == null || exchange.outputPartitioning().numPartitions() > PARTITIONS) {
        return false;
      }
      replaced.add(new Replacement(plan, () -> within(exchange)));
    } else if (plan instanceof Exchange) {
      // A job of its own sends the rows to all tasks.
      return true;
    } else if (plan instanceof HashAggregateExec groups && TaskAggregate.computes(groups)) {
      replaced.add(new Replacement(plan, () -> new TaskAggregate(groups, rowsBelow(plan))));
    } else {
      StateNode state = StateNode.of(plan);
      if (state != null) {
        replaced.add(new Replacement(plan, () -> new TaskState(state, rowsBelow(plan))));
      }
    }
    return CollectionConverters.asJava(plan.children()).stream().allMatch(child -> collect(child, replaced));
  }

  /** Returns the rows that a node computes its own from. */
  private static RDD<InternalRow> rowsBelow(SparkPlan node) {
    return node.children().head().execute();
  }

  /** Returns the number of the partition of a row; null if Spark computes it in another way. */
  private static Expression target(Partitioning partitioning) {
    if (partitioning instanceof HashPartitioning hash) {
      return hash.partitionIdExpression();
    }
    return partitioning == SinglePartition$.MODULE$ ? new Literal(0, DataTypes.IntegerType) : null;
  }

  private static void replace(Replacement replaced) {
    try {
      COMPUTED.set(replaced.node, new LazyTry<RDD<InternalRow>>(new AbstractFunction0<>() {
        @Override public RDD<InternalRow> apply() {
          return replaced.rows.get();
        }
      }));
    } catch (IllegalAccessException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Returns the rows of an exchange, which passes them within the task. */
  private static RDD<InternalRow> within(ShuffleExchangeExec exchange) {
    Partitioning partitioning = exchange.outputPartitioning();
    return new TaskExchange(exchange.inputRDD(), target(partitioning), exchange.child().output(), partitioning.numPartitions());
  }

  /** All rows of an RDD in one partition, in the order of its partitions. */
  private static final class Gathered extends RDD<InternalRow> {
    private static final long serialVersionUID = 1L;

    private final RDD<InternalRow> rows;

    Gathered(RDD<InternalRow> rows) {
      super(rows.context(), ScalaSeq.<Dependency<?>>of(List.of(new AllPartitions(rows))), ClassTag$.MODULE$.apply(InternalRow.class));
      this.rows = rows;
    }

    @Override public Partition[] getPartitions() {
      return AllPartitions.each(rows, 1);
    }

    @Override public Iterator<InternalRow> compute(Partition partition, TaskContext context) {
      return new AllPartitions.Rows(rows, ((AllPartitions.Part) partition).parents(), context);
    }
  }
}
