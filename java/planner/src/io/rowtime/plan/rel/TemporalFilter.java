package io.rowtime.plan.rel;

import java.util.List;
import java.util.function.Function;
import org.apache.calcite.plan.RelTraitSet;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.RelWriter;
import org.apache.calcite.rel.SingleRel;

/**
 * WHERE with conditions on the current time, of a stream: a row is there from the latest of the times at which it enters, until the first
 * of those at which it leaves. The current time is the bound of the input's ROWTIME, or, if its rows have none, that of the streams below.
 */
public final class TemporalFilter extends SingleRel implements ChangingRows {
  /**
   * A time at which a row enters or leaves. A row whose column is NULL never enters.
   *
   * @param column a TIMESTAMP of the input
   * @param millis how much later than the column's value it is
   * @param after whether it is the instant after that
   */
  public record Limit(int column, long millis, boolean after) {}

  private final List<Limit> enters;
  private final List<Limit> leaves;

  public TemporalFilter(RelNode input, List<Limit> enters, List<Limit> leaves) {
    super(input.getCluster(), input.getTraitSet(), input);
    this.enters = List.copyOf(enters);
    this.leaves = List.copyOf(leaves);
  }

  public List<Limit> enters() {
    return enters;
  }

  public List<Limit> leaves() {
    return leaves;
  }

  @Override public String keeps(Function<List<Integer>, String> names) {
    return leaves.isEmpty() ? "rows that have not entered" : "the rows";
  }

  @Override public List<List<Integer>> uniqueKeys() {
    return Changelogs.uniqueKeys(getInput());
  }

  @Override public RelNode copy(RelTraitSet traits, List<RelNode> inputs) {
    return new TemporalFilter(inputs.get(0), enters, leaves);
  }

  @Override public RelWriter explainTerms(RelWriter writer) {
    return super.explainTerms(writer).item("enters", enters).item("leaves", leaves);
  }
}
