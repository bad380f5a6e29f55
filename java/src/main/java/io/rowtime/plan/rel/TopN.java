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
 * Emits, when a partition is complete, its rows for which a rank function is at most a limit. Output: the input's
 * columns, and the values of rank functions.
 */
public final class TopN extends SingleRel {
  private final ImmutableBitSet partition;
  private final RelCollation order;
  private final RankFunction function;
  private final int limit;
  private final List<Rank> ranks;

  /** A rank function whose value is a column of the result. */
  public record Rank(String name, RankFunction function) {}

  private TopN(RelOptCluster cluster, RelTraitSet traits, RelNode input, ImmutableBitSet partition, RelCollation order,
      RankFunction function, int limit, List<Rank> ranks) {
    super(cluster, traits, input);
    this.partition = partition;
    this.order = order;
    this.function = function;
    this.limit = limit;
    this.ranks = List.copyOf(ranks);
  }

  public static TopN create(RelNode input, ImmutableBitSet partition, RelCollation order, RankFunction function, int limit, List<Rank> ranks) {
    return new TopN(input.getCluster(), input.getTraitSet(), input, partition, order, function, limit, ranks);
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

  @Override public RelNode copy(RelTraitSet traits, List<RelNode> inputs) {
    return new TopN(getCluster(), traits, inputs.get(0), partition, order, function, limit, ranks);
  }

  @Override protected RelDataType deriveRowType() {
    RelDataTypeFactory types = getCluster().getTypeFactory();
    RelDataTypeFactory.Builder fields = types.builder().addAll(getInput().getRowType().getFieldList());
    ranks.forEach(rank -> fields.add(rank.name, types.createSqlType(SqlTypeName.BIGINT)));
    return fields.build();
  }

  @Override public RelWriter explainTerms(RelWriter writer) {
    return super.explainTerms(writer).item("partition", partition).item("order", order).item("function", function).item("limit", limit)
        .item("ranks", ranks);
  }
}
