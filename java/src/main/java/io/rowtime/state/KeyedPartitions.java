package io.rowtime.state;

import java.util.List;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.plans.logical.RepartitionByExpression;
import org.apache.spark.sql.functions;
import org.apache.spark.sql.types.Metadata;
import org.apache.spark.sql.types.MetadataBuilder;
import scala.jdk.javaapi.CollectionConverters;

/**
 * Rows that are shuffled by their {@link PartitionKey}, so that each partition has exactly one key. For Spark this is
 * an ordinary repartition, after which it sorts the rows by the key; {@link KeyedPartitionsStrategy} recognizes it by a
 * tag of the key's column, and omits the sort.
 */
final class KeyedPartitions {
  private static final String TAG = "rowtime.partition_key";

  private KeyedPartitions() {}

  /** Shuffles rows to partitions by the key in the column {@code key}. */
  static Dataset<Row> of(Dataset<Row> rows, String key) {
    Metadata tag = new MetadataBuilder().putBoolean(TAG, true).build();
    return rows.withColumn(key, functions.col(key).as(key, tag)).repartition(functions.col(key));
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
