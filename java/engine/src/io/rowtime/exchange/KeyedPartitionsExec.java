package io.rowtime.exchange;

import java.util.List;
import org.apache.spark.rdd.RDD;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.Ascending$;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.SortOrder;
import org.apache.spark.sql.catalyst.plans.physical.Partitioning;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.exchange.ShuffleExchangeExec;
import org.apache.spark.sql.execution.streaming.operators.stateful.StateStoreWriter;
import scala.collection.immutable.IndexedSeq;
import scala.collection.immutable.Nil$;
import scala.collection.immutable.Seq;
import scala.jdk.javaapi.CollectionConverters;

/**
 * The rows of an exchange by their {@link PartitionKey}. They are sorted by that key without sorting, because each
 * partition has one key.
 *
 * <p>If the exchange would pass all rows of one task to one other task, there is no exchange: the task itself runs the
 * operator above, and the micro-batch has a stage less.
 */
public final class KeyedPartitionsExec extends SparkPlan {
  private static final long serialVersionUID = 1L;

  private final Attribute key;
  private final SparkPlan exchange;

  /** The constructor that Spark uses for copies. */
  public KeyedPartitionsExec(Attribute key, SparkPlan exchange) {
    this.key = key;
    this.exchange = exchange;
  }

  @Override public Seq<Attribute> output() {
    return exchange.output();
  }

  @Override public Partitioning outputPartitioning() {
    return exchange.outputPartitioning();
  }

  @Override public Seq<SortOrder> outputOrdering() {
    return CollectionConverters.asScala(List.of(new SortOrder(key, Ascending$.MODULE$, Ascending$.MODULE$.defaultNullOrdering(), empty())))
        .toSeq();
  }

  @SuppressWarnings("unchecked")
  private static <T> Seq<T> empty() {
    return (Seq<T>) Nil$.MODULE$;
  }

  @Override public RDD<InternalRow> doExecute() {
    if (outputPartitioning().numPartitions() == 1 && exchange instanceof ShuffleExchangeExec shuffle && !hasState(shuffle.child())) {
      RDD<InternalRow> rows = shuffle.inputRDD();
      if (rows.getNumPartitions() == 1) {
        return rows;
      }
    }
    return exchange.execute();
  }

  /**
   * Whether an operator below has state. Spark keeps the key whose state is read with the thread, so one thread cannot run
   * two operators, one of which reads the rows of the other.
   */
  private static boolean hasState(SparkPlan plan) {
    return plan instanceof StateStoreWriter
        || CollectionConverters.asJava(plan.children()).stream().anyMatch(KeyedPartitionsExec::hasState);
  }

  @Override public Seq<SparkPlan> children() {
    return CollectionConverters.asScala(List.of(exchange)).toSeq();
  }

  @Override public SparkPlan withNewChildrenInternal(IndexedSeq<SparkPlan> children) {
    return new KeyedPartitionsExec(key, children.head());
  }

  @Override public int productArity() {
    return 2;
  }

  @Override public Object productElement(int number) {
    return number == 0 ? key : exchange;
  }

  @Override public boolean canEqual(Object other) {
    return other instanceof KeyedPartitionsExec;
  }
}
