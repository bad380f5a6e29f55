package io.rowtime.plan.convert;

import java.util.function.UnaryOperator;
import org.apache.calcite.plan.Contexts;
import org.apache.calcite.plan.RelOptCluster;
import org.apache.calcite.plan.RelOptSchema;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.logical.LogicalFilter;
import org.apache.calcite.tools.RelBuilder;

/**
 * A builder of relational algebra that keeps the input of a condition that is FALSE, where Calcite's own would replace it by
 * no rows: a query that reads a stream stays one.
 */
final class InputsKept extends RelBuilder {
  private final Config settings;
  private final RelOptSchema schema;

  InputsKept(Config settings, RelOptCluster cluster, RelOptSchema schema) {
    super(Contexts.of(settings), cluster, schema);
    this.settings = settings;
    this.schema = schema;
  }

  @Override public RelBuilder transform(UnaryOperator<Config> transform) {
    return new InputsKept(transform.apply(settings), getCluster(), schema);
  }

  @Override public RelBuilder empty() {
    RelNode input = build();
    return push(LogicalFilter.create(input, literal(false)));
  }
}
