package io.rowtime.plan.rel;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;
import org.apache.calcite.plan.RelTraitSet;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Window;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.sql.SqlKind;

/**
 * OVER below TO_CHANGELOG whose values change: rows that come or go anywhere in a partition change the frames of other rows.
 */
public final class UpdatingOver extends Window implements ChangingRows {
  public UpdatingOver(Window window) {
    this(window, window.getTraitSet(), window.getInput(), window.constants);
  }

  private UpdatingOver(Window window, RelTraitSet traits, RelNode input, List<RexLiteral> constants) {
    super(window.getCluster(), traits, window.getHints(), input, constants, window.getRowType(), window.groups);
  }

  @Override public String keeps(Function<List<Integer>, String> names) {
    List<Integer> partition = groups.get(0).keys.asList();
    return "all rows" + (partition.isEmpty() ? "" : " of each partition by " + names.apply(partition))
        + ": a row that comes or goes changes the values of those whose frames have it";
  }

  @Override public List<List<Integer>> uniqueKeys() {
    List<List<Integer>> keys = new ArrayList<>(Changelogs.uniqueKeys(getInput()));
    int column = getInput().getRowType().getFieldCount();
    for (Window.Group group : groups) {
      for (Window.RexWinAggCall call : group.aggCalls) {
        if (call.getOperator().getKind() == SqlKind.ROW_NUMBER) {
          keys.add(Stream.concat(group.keys.asList().stream(), Stream.of(column)).toList());
        }
        column++;
      }
    }
    return keys;
  }

  @Override public UpdatingOver copy(RelTraitSet traits, List<RelNode> inputs) {
    return new UpdatingOver(this, traits, inputs.get(0), constants);
  }

  @Override public UpdatingOver copy(List<RexLiteral> others) {
    return new UpdatingOver(this, getTraitSet(), getInput(), others);
  }
}
