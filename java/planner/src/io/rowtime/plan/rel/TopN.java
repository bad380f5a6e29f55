package io.rowtime.plan.rel;

import io.rowtime.aggregate.RankFunction;
import java.util.List;
import org.apache.calcite.plan.RelOptCluster;
import org.apache.calcite.plan.RelTraitSet;
import org.apache.calcite.rel.RelCollation;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.RelWriter;
import org.apache.calcite.rel.SingleRel;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.util.ImmutableBitSet;

/**
 * Emits the rows of a partition for which a rank function is at most a limit: when the partition is complete or, if it never is, as
 * changes. Output: the input's columns, and the values of rank functions.
 */
public final class TopN extends SingleRel {
  private final ImmutableBitSet partition;
  private final RelCollation order;
  private final RankFunction function;
  private final int limit;
  private final List<Rank> ranks;
  private final Partitions partitions;
  private final Long ttl;
  private final boolean whole;

  /** A rank function whose value is a column of the result. */
  public record Rank(String name, RankFunction function) {}

  /** What becomes of partitions. */
  public enum Partitions {
    /** They are complete at some time. */
    END,
    /** They are never complete. Rows are only added. */
    GROW,
    /** They are never complete. Rows can be retracted. */
    CHANGE
  }

  private TopN(RelOptCluster cluster, RelTraitSet traits, RelNode input, ImmutableBitSet partition, RelCollation order,
      RankFunction function, int limit, List<Rank> ranks, Partitions partitions, Long ttl, boolean whole) {
    super(cluster, traits, input);
    this.partition = partition;
    this.order = order;
    this.function = function;
    this.limit = limit;
    this.ranks = List.copyOf(ranks);
    this.partitions = partitions;
    this.ttl = ttl;
    this.whole = whole;
  }

  /**
   * Creates a Top-N.
   *
   * @param ttl how much later, in milliseconds, a row must be than the one before it in its partition to begin the partition anew; null if
   *     no row does
   * @param whole whether no condition above leaves out rows that it emits
   */
  public static TopN create(RelNode input, ImmutableBitSet partition, RelCollation order, RankFunction function, int limit, List<Rank> ranks,
      Partitions partitions, Long ttl, boolean whole) {
    return new TopN(input.getCluster(), input.getTraitSet(), input, partition, order, function, limit, ranks, partitions, ttl, whole);
  }

  public ImmutableBitSet partition() {
    return partition;
  }

  public RelCollation order() {
    return order;
  }

  public RankFunction function() {
    return function;
  }

  public int limit() {
    return limit;
  }

  public List<Rank> ranks() {
    return ranks;
  }

  public Partitions partitions() {
    return partitions;
  }

  /** Returns the distance of rows by which a partition begins anew ({@link StateTtl}), in milliseconds; null if it never does. */
  public Long ttl() {
    return ttl;
  }

  /** Returns whether no condition above leaves out rows of it. */
  public boolean isWhole() {
    return whole;
  }

  /** Returns whether a partition has at most one of the first rows. */
  public boolean hasOneRow() {
    return function == RankFunction.ROW_NUMBER && limit <= 1;
  }

  @Override public RelNode copy(RelTraitSet traits, List<RelNode> inputs) {
    return new TopN(getCluster(), traits, inputs.get(0), partition, order, function, limit, ranks, partitions, ttl, whole);
  }

  @Override protected RelDataType deriveRowType() {
    RelDataTypeFactory types = getCluster().getTypeFactory();
    RelDataTypeFactory.Builder fields = types.builder().addAll(getInput().getRowType().getFieldList());
    ranks.forEach(rank -> fields.add(rank.name, types.createSqlType(SqlTypeName.BIGINT)));
    return fields.build();
  }

  @Override public RelWriter explainTerms(RelWriter writer) {
    return super.explainTerms(writer).item("partition", partition).item("order", order).item("function", function).item("limit", limit)
        .item("ranks", ranks).item("partitions", partitions).item("ttl", ttl).item("whole", whole);
  }
}
