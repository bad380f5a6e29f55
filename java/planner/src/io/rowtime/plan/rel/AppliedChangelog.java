package io.rowtime.plan.rel;

import java.util.List;
import java.util.function.Function;
import org.apache.calcite.plan.RelTraitSet;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.RelWriter;
import org.apache.calcite.rel.SingleRel;
import org.apache.calcite.rel.type.RelDataType;

/**
 * FROM_CHANGELOG of a stream: the rows that changes have added and not retracted. Its input has the kind of a change, and then the
 * columns of the row. EXCEPT ALL is the same: its first input adds rows, and the others retract them.
 */
public final class AppliedChangelog extends SingleRel implements ChangingRows {
  /** The column of the input with the kind of a change. */
  public static final int OP = 0;
  /** The first column of the input that is one of a row. */
  public static final int FIRST = 1;

  private final List<Integer> key;
  private final String name;

  private AppliedChangelog(RelTraitSet traits, RelNode input, List<Integer> key, String name, RelDataType rowType) {
    super(input.getCluster(), traits, input);
    this.key = key;
    this.name = name;
    this.rowType = rowType;
  }

  /**
   * @param key columns of the input: a change replaces or deletes the row that is equal in them; null if it has the whole row
   * @param name what the statement calls it
   */
  public static AppliedChangelog create(RelNode input, List<Integer> key, String name) {
    RelDataType rowType = input.getCluster().getTypeFactory().builder()
        .addAll(input.getRowType().getFieldList().subList(FIRST, input.getRowType().getFieldCount())).build();
    return new AppliedChangelog(input.getTraitSet(), input, key, name, rowType);
  }

  public List<Integer> key() {
    return key;
  }

  public String name() {
    return name;
  }

  @Override public String keeps(Function<List<Integer>, String> names) {
    return key == null ? "how often each row has been added and not retracted" : "the row of each " + names.apply(key);
  }

  @Override public List<List<Integer>> uniqueKeys() {
    return key == null ? List.of() : List.of(key.stream().map(column -> column - FIRST).toList());
  }

  @Override public RelNode copy(RelTraitSet traits, List<RelNode> inputs) {
    return new AppliedChangelog(traits, inputs.get(0), key, name, rowType);
  }

  @Override public RelWriter explainTerms(RelWriter writer) {
    return super.explainTerms(writer).item("key", key);
  }
}
