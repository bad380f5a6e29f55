package io.rowtime.plan.monotone;

import java.util.List;
import org.apache.calcite.rel.core.Aggregate;
import org.apache.calcite.util.ImmutableBitSet;

/** GROUPING SETS, ROLLUP and CUBE. */
public final class GroupingSets {
  private GroupingSets() {}

  /** Returns the keys that every grouping set contains; the others are NULL in some groups. */
  public static ImmutableBitSet common(Aggregate aggregate) {
    ImmutableBitSet common = aggregate.getGroupSet();
    for (ImmutableBitSet set : aggregate.getGroupSets()) {
      common = common.intersect(set);
    }
    return common;
  }

  /** Returns those of them that make progress, given the order of the input. */
  public static List<Integer> progressing(Aggregate aggregate, NodeOrder input) {
    return common(aggregate).asList().stream().filter(key -> input.fields().get(key).monotonicity().makesProgress()).toList();
  }
}
