package io.rowtime.plan.monotone;

import org.apache.calcite.rel.core.Aggregate;
import org.apache.calcite.util.ImmutableBitSet;

/** GROUPING SETS, ROLLUP and CUBE. */
public final class GroupingSets {
  private GroupingSets() {}

  /** The keys by which every group is told apart: in other groups the remaining ones are NULL. */
  public static ImmutableBitSet common(Aggregate aggregate) {
    ImmutableBitSet common = aggregate.getGroupSet();
    for (ImmutableBitSet set : aggregate.getGroupSets()) {
      common = common.intersect(set);
    }
    return common;
  }
}
