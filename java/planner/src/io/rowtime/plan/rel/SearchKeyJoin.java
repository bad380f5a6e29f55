package io.rowtime.plan.rel;

import io.rowtime.catalog.Connector;
import io.rowtime.validate.function.SearchKeyOptions;
import java.util.List;
import org.apache.calcite.plan.RelTraitSet;
import org.apache.calcite.rel.BiRel;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.RelWriter;
import org.apache.calcite.rel.core.JoinRelType;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexShuttle;
import org.apache.calcite.sql.validate.SqlValidatorUtil;

/**
 * SEARCH_KEY of a table that is looked up by key in its own system: each row of the left input is joined with the rows
 * of the right input, the scan of the table, that have the requested keys. The table is never read as a whole.
 */
public final class SearchKeyJoin extends BiRel {
  private final Connector.SearchKey connector;
  private final JoinRelType type;
  private final List<Integer> keys;
  private final List<RexNode> lookup;
  private final RexNode condition;
  private final SearchKeyOptions options;

  /**
   * @param connector how rows of the table are looked up
   * @param type INNER, or LEFT, which keeps rows without a match
   * @param keys columns of the right input
   * @param lookup a value for each key column, over the left input, of a type that is comparable with the column
   *     without a cast
   * @param condition a condition over both inputs, or null
   */
  public SearchKeyJoin(RelNode left, RelNode right, Connector.SearchKey connector, JoinRelType type, List<Integer> keys, List<RexNode> lookup,
      RexNode condition, SearchKeyOptions options) {
    this(left.getCluster().traitSet(), left, right, connector, type, keys, lookup, condition, options);
  }

  private SearchKeyJoin(RelTraitSet traits, RelNode left, RelNode right, Connector.SearchKey connector, JoinRelType type, List<Integer> keys,
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

  @Override public RelNode accept(RexShuttle shuttle) {
    List<RexNode> values = shuttle.apply(lookup);
    RexNode changed = shuttle.apply(condition);
    return values == lookup && changed == condition ? this
        : new SearchKeyJoin(traitSet, left, right, connector, type, keys, values, changed, options);
  }

  @Override protected RelDataType deriveRowType() {
    return SqlValidatorUtil.deriveJoinRowType(left.getRowType(), right.getRowType(), type, getCluster().getTypeFactory(), null, List.of());
  }

  @Override public RelWriter explainTerms(RelWriter writer) {
    return super.explainTerms(writer).item("connector", connector).item("type", type).item("keys", keys).item("lookup", lookup)
        .item("condition", condition).item("options", options);
  }

  public Connector.SearchKey connector() {
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
