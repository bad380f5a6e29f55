package io.rowtime.plan.rel;

import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.plan.RelOptCluster;
import org.apache.calcite.plan.RelTraitSet;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.RelWriter;
import org.apache.calcite.rel.SingleRel;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.rel.type.RelDataTypeField;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexShuttle;

/**
 * UNNEST: repeats each row for every element of its collections, side by side, and appends the elements as columns: the
 * fields of a row, key and value of a map. A row without elements is dropped, or kept with NULLs if {@code outer}.
 */
public final class Unnest extends SingleRel {
  private final List<RexNode> collections;
  private final boolean ordinality;
  private final boolean outer;

  /** @param rowType the input's columns, followed by those of the elements and their ordinality */
  private Unnest(RelOptCluster cluster, RelTraitSet traits, RelNode input, List<RexNode> collections, boolean ordinality,
      boolean outer, RelDataType rowType) {
    super(cluster, traits, input);
    this.collections = List.copyOf(collections);
    this.ordinality = ordinality;
    this.outer = outer;
    this.rowType = rowType;
  }

  /**
   * Creates the UNNEST of {@code collections}, arrays and maps over the input.
   *
   * @param ordinality whether the number of the element, from 1, follows it
   * @param elements the columns of the elements
   */
  public static Unnest create(RelNode input, List<RexNode> collections, boolean ordinality, boolean outer, RelDataType elements) {
    RelDataTypeFactory types = input.getCluster().getTypeFactory();
    List<String> names = new ArrayList<>(input.getRowType().getFieldNames());
    RelDataTypeFactory.Builder rowType = types.builder().addAll(input.getRowType().getFieldList());
    for (RelDataTypeField field : elements.getFieldList()) {
      String name = field.getName();
      for (int number = 0; names.contains(name); number++) {
        name = field.getName() + number;
      }
      names.add(name);
      // If there are several collections, shorter ones are padded with NULL.
      boolean nullable = outer || field.getType().isNullable() || collections.size() > 1 && !isNumber(field, elements, ordinality);
      rowType.add(name, types.createTypeWithNullability(field.getType(), nullable));
    }
    return new Unnest(input.getCluster(), input.getTraitSet(), input, collections, ordinality, outer, rowType.build());
  }

  private static boolean isNumber(RelDataTypeField field, RelDataType elements, boolean ordinality) {
    return ordinality && field.getIndex() == elements.getFieldCount() - 1;
  }

  public List<RexNode> collections() {
    return collections;
  }

  public boolean ordinality() {
    return ordinality;
  }

  public boolean outer() {
    return outer;
  }

  @Override public RelNode copy(RelTraitSet traits, List<RelNode> inputs) {
    return new Unnest(getCluster(), traits, inputs.get(0), collections, ordinality, outer, rowType);
  }

  @Override public RelNode accept(RexShuttle shuttle) {
    List<RexNode> changed = shuttle.apply(collections);
    return changed == collections ? this : new Unnest(getCluster(), traitSet, input, changed, ordinality, outer, rowType);
  }

  @Override public RelWriter explainTerms(RelWriter writer) {
    return super.explainTerms(writer).item("collections", collections).item("ordinality", ordinality).item("outer", outer);
  }
}
