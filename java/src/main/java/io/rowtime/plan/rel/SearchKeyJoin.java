package io.rowtime.plan.rel;

import io.rowtime.validate.function.SearchKeyOptions;
import java.util.List;
import org.apache.calcite.plan.RelTraitSet;
import org.apache.calcite.rel.BiRel;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.RelWriter;
import org.apache.calcite.rel.core.JoinRelType;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.validate.SqlValidatorUtil;

/**
 * SEARCH_KEY of a table that its own system looks up by key (seed 004): each row of the left input meets the rows of the right one,
 * the scan of the table, whose keys are those that the row asks for. The table is never read as a whole.
 */
public final class SearchKeyJoin extends BiRel {
  /** How rows are looked up: JDBC, by statements of a database; DELTA, by reading the files that can have them. */
  public enum Connector { JDBC, DELTA }

  private final Connector connector;
  private final JoinRelType type;
  private final List<Integer> keys;
  private final List<RexNode> lookup;
  private final RexNode condition;
  private final SearchKeyOptions options;

  /**
   * @param connector of the table
   * @param type INNER, or LEFT, which keeps rows that find nothing
   * @param keys columns of the right input
   * @param lookup a value for each of them, over the left input, of a type that compares with it as it is
   * @param condition over both inputs, or null
   */
  public SearchKeyJoin(RelNode left, RelNode right, Connector connector, JoinRelType type, List<Integer> keys, List<RexNode> lookup,
      RexNode condition, SearchKeyOptions options) {
    this(left.getCluster().traitSet(), left, right, connector, type, keys, lookup, condition, options);
  }

  private SearchKeyJoin(RelTraitSet traits, RelNode left, RelNode right, Connector connector, JoinRelType type, List<Integer> keys,
      List<RexNode> lookup, RexNode condition, SearchKeyOptions options) {
    super(left.getCluster(), traits, left, right);
    this.connector = connector;
    this.type = type;
    this.keys = List.copyOf(keys);
    this.lookup = List.copyOf(lookup);
    this.condition = condition;
    this.options = options;
  }

  @Override public SearchKeyJoin copy(RelTraitSet traits, List<RelNode> inputs) {
    return new SearchKeyJoin(traits, inputs.get(0), inputs.get(1), connector, type, keys, lookup, condition, options);
  }

  @Override protected RelDataType deriveRowType() {
    return SqlValidatorUtil.deriveJoinRowType(left.getRowType(), right.getRowType(), type, getCluster().getTypeFactory(), null, List.of());
  }

  @Override public RelWriter explainTerms(RelWriter writer) {
    return super.explainTerms(writer).item("connector", connector).item("type", type).item("keys", keys).item("lookup", lookup)
        .item("condition", condition).item("options", options);
  }

  public Connector connector() {
    return connector;
  }

  public JoinRelType type() {
    return type;
  }

  public List<Integer> keys() {
    return keys;
  }

  public List<RexNode> lookup() {
    return lookup;
  }

  public RexNode condition() {
    return condition;
  }

  public SearchKeyOptions options() {
    return options;
  }
}
