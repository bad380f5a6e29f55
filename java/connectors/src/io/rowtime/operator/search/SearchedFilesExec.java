package io.rowtime.operator.search;

import io.rowtime.spark.ReadsTwice;
import java.util.List;
import org.apache.spark.rdd.RDD;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.AttributeSet;
import org.apache.spark.sql.execution.SparkPlan;
import scala.collection.immutable.IndexedSeq;
import scala.collection.immutable.Seq;
import scala.jdk.javaapi.CollectionConverters;

/**
 * Joins the rows of an exchange with the rows that are found for them. The exchange allows reading them twice, for
 * their keys and for themselves, while the plan below runs once.
 */
public final class SearchedFilesExec extends SparkPlan implements ReadsTwice {
  private static final long serialVersionUID = 1L;

  private final Seq<Attribute> output;
  private final transient FileSearch search;
  private final String query;
  private final long batch;
  private final SparkPlan exchange;

  /** The constructor that Spark uses for copies. */
  public SearchedFilesExec(Seq<Attribute> output, FileSearch search, String query, long batch, SparkPlan exchange) {
    this.output = output;
    this.search = search;
    this.query = query;
    this.batch = batch;
    this.exchange = exchange;
  }

  @Override public Seq<Attribute> output() {
    return output;
  }

  @Override public AttributeSet producedAttributes() {
    return outputSet();
  }

  @Override public RDD<InternalRow> doExecute() {
    return search.join(exchange.execute(), query, batch);
  }

  @Override public Seq<SparkPlan> children() {
    return CollectionConverters.asScala(List.of(exchange)).toSeq();
  }

  @Override public SparkPlan withNewChildrenInternal(IndexedSeq<SparkPlan> children) {
    return new SearchedFilesExec(output, search, query, batch, children.head());
  }

  @Override public int productArity() {
    return 5;
  }

  @Override public Object productElement(int number) {
    return switch (number) {
      case 0 -> output;
      case 1 -> search;
      case 2 -> query;
      case 3 -> batch;
      default -> exchange;
    };
  }

  @Override public boolean canEqual(Object other) {
    return other instanceof SearchedFilesExec;
  }
}
