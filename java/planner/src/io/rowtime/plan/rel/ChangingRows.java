package io.rowtime.plan.rel;

import java.util.List;
import java.util.function.Function;
import org.apache.calcite.rel.RelNode;

/** A node of a stream whose rows come, and go, with other rows: no column has an order, and rows can be retracted. */
public interface ChangingRows extends RelNode {
  /**
   * Returns what its state has, in words.
   *
   * @param names returns the names of columns of the first input, for a message
   */
  String keeps(Function<List<Integer>, String> names);

  /** Returns all columns that are known in which no two rows are equal at any time. */
  List<List<Integer>> uniqueKeys();
}
