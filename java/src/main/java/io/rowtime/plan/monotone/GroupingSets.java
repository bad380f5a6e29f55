package io.rowtime.plan.monotone;

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
}
