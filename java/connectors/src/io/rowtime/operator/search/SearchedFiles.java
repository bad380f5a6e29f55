package io.rowtime.operator.search;

import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.AttributeSet;
import org.apache.spark.sql.catalyst.expressions.AttributeSet$;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import scala.collection.immutable.IndexedSeq;
import scala.collection.immutable.Seq;
import scala.jdk.javaapi.CollectionConverters;

/**
 * A plan node: rows joined with the rows that a {@link FileSearch} finds for them. {@link SearchedFilesStrategy} plans
 * it.
 */
public final class SearchedFiles extends LogicalPlan {
  private static final long serialVersionUID = 1L;

  private final Seq<Attribute> asking;
  private final Seq<Attribute> found;
  private final FileSearch search;
  private final LogicalPlan child;

  /**
   * The constructor that Spark uses for copies.
   *
   * @param asking the columns of the input rows, all of which the search needs
   * @param found the columns that it adds
   */
  public SearchedFiles(Seq<Attribute> asking, Seq<Attribute> found, FileSearch search, LogicalPlan child) {
    this.asking = asking;
    this.found = found;
    this.search = search;
    this.child = child;
  }

  Seq<Attribute> asking() {
    return asking;
  }

  FileSearch search() {
    return search;
  }

  LogicalPlan child() {
    return child;
  }

  @SuppressWarnings("unchecked")
  @Override public Seq<Attribute> output() {
    return (Seq<Attribute>) asking.concat(found);
  }

  @SuppressWarnings({"unchecked", "rawtypes"})
  @Override public AttributeSet producedAttributes() {
    return AttributeSet$.MODULE$.apply((Seq<Expression>) (Seq) found);
  }

  @Override public Seq<LogicalPlan> children() {
    return CollectionConverters.asScala(java.util.List.of(child)).toSeq();
  }

  @Override public LogicalPlan withNewChildrenInternal(IndexedSeq<LogicalPlan> children) {
    return new SearchedFiles(asking, found, search, children.head());
  }

  @Override public int productArity() {
    return 4;
  }

  @Override public Object productElement(int number) {
    return switch (number) {
      case 0 -> asking;
      case 1 -> found;
      case 2 -> search;
      default -> child;
    };
  }

  @Override public boolean canEqual(Object other) {
    return other instanceof SearchedFiles;
  }
}
