package io.rowtime.exchange;

import io.rowtime.spark.ScalaSeq;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.catalyst.expressions.Alias;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.NamedExpression;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.plans.logical.RepartitionByExpression;
import org.apache.spark.sql.catalyst.plans.logical.SerializeFromObject;
import org.apache.spark.sql.types.Metadata;
import org.apache.spark.sql.types.MetadataBuilder;
import scala.Option;
import scala.jdk.javaapi.CollectionConverters;

/**
 * Rows that are shuffled by their {@link PartitionKey}, so that each partition has exactly one key. For Spark this is
 * an ordinary repartition, after which it sorts the rows by the key; {@link KeyedPartitionsStrategy} recognizes it by a
 * tag of the key's column, and omits the sort.
 */
public final class KeyedPartitions {
  private static final String TAG = "rowtime.partition_key";

  private KeyedPartitions() {}

  /** Returns the plan with a last column by which {@link #of} can shuffle its rows. */
  public static LogicalPlan tagged(SerializeFromObject rows) {
    List<NamedExpression> columns = new ArrayList<>(CollectionConverters.asJava(rows.serializer()));
    Alias key = (Alias) columns.get(columns.size() - 1);
    Metadata tag = new MetadataBuilder().putBoolean(TAG, true).build();
    columns.set(columns.size() - 1,
        new Alias(key.child(), key.name(), NamedExpression.newExprId(), key.qualifier(), Option.apply(tag), key.nonInheritableMetadataKeys()));
    return new SerializeFromObject(ScalaSeq.of(columns), rows.child());
  }

  /** Shuffles rows, {@link #tagged} or unions of such, to partitions by the key in their last column. */
  public static LogicalPlan of(LogicalPlan rows) {
    return new RepartitionByExpression(ScalaSeq.of(List.of(rows.output().last())), rows, Option.empty(), Option.empty());
  }

  /** Returns the key of a plan that {@link #of} has made; null for any other plan. */
  static Attribute key(LogicalPlan plan) {
    if (!(plan instanceof RepartitionByExpression repartition) || repartition.optNumPartitions().isDefined()) {
      return null;
    }
    List<?> by = CollectionConverters.asJava(repartition.partitionExpressions());
    return by.size() == 1 && by.get(0) instanceof Attribute key && key.metadata().contains(TAG) ? key : null;
  }
}
