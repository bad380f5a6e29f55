package io.rowtime.plan.rel;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;
import org.apache.calcite.plan.RelTraitSet;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Join;
import org.apache.calcite.rel.core.JoinRelType;
import org.apache.calcite.rex.RexNode;

/**
 * A join of two whole streams, or of results that change, below TO_CHANGELOG. All rows of both inputs are kept, unless the
 * condition says when a row has had its last match. A row of the result can be retracted, unless rows of the inputs cannot and a match only adds rows.
 */
public final class UpdatingJoin extends Join implements ChangingRows {
  public UpdatingJoin(Join join) {
    this(join.getCluster().traitSet(), join.getLeft(), join.getRight(), join.getCondition(), join.getJoinType());
  }

  private UpdatingJoin(RelTraitSet traits, RelNode left, RelNode right, RexNode condition, JoinRelType type) {
    super(left.getCluster(), traits, List.of(), left, right, condition, Set.of(), type);
  }

  @Override public String keeps(Function<List<Integer>, String> names) {
    return "all rows of both inputs, by the join's keys: nothing limits when a match arrives";
  }

  @Override public List<List<Integer>> uniqueKeys() {
    List<List<Integer>> lefts = Changelogs.uniqueKeys(getLeft());
    if (!getJoinType().projectsRight()) {
      return lefts;
    }
    int width = getLeft().getRowType().getFieldCount();
    List<List<Integer>> rights = Changelogs.uniqueKeys(getRight()).stream().map(key -> key.stream().map(column -> width + column).toList()).toList();
    JoinKeys keys = keys();
    boolean nullsLeft = getJoinType().generatesNullsOnLeft();
    boolean nullsRight = getJoinType().generatesNullsOnRight();
    List<List<Integer>> found = new ArrayList<>();
    // A row that has at most one match is in the result once, unless rows are that lack it.
    if (!nullsLeft && isCovered(Changelogs.uniqueKeys(getRight()), keys.right())) {
      found.addAll(lefts);
    }
    if (!nullsRight && isCovered(lefts, keys.left())) {
      found.addAll(rights);
    }
    for (List<Integer> left : lefts) {
      for (List<Integer> right : rights) {
        List<Integer> both = Stream.concat(left.stream(), right.stream()).toList();
        // A row of either side without a match could have NULL in all of these columns.
        if (!(nullsLeft && nullsRight) || hasValue(getLeft(), left, 0) || hasValue(getRight(), right, width)) {
          found.add(both);
        }
      }
    }
    return found;
  }

  /** Returns whether rows that are equal in the expressions are equal in a unique key. */
  private static boolean isCovered(List<List<Integer>> unique, List<RexNode> expressions) {
    return unique.stream().anyMatch(key -> key.stream().allMatch(column -> Changelogs.place(expressions, column) >= 0));
  }

  /** Returns whether one of some columns of a join's input is never NULL. */
  private static boolean hasValue(RelNode input, List<Integer> columns, int first) {
    return columns.stream().anyMatch(column -> !input.getRowType().getFieldList().get(column - first).getType().isNullable());
  }

  @Override public UpdatingJoin copy(RelTraitSet traits, RexNode condition, RelNode newLeft, RelNode newRight, JoinRelType type,
      boolean semiJoinDone) {
    return new UpdatingJoin(traits, newLeft, newRight, condition, type);
  }

  /** Returns whether rows that are added to the inputs only add rows to a join. In others, a row without a match goes when one arrives. */
  public static boolean onlyAdds(JoinRelType type) {
    return type == JoinRelType.INNER || type == JoinRelType.SEMI;
  }

  /** Returns the equalities of the condition, and the rest of it. */
  public JoinKeys keys() {
    return JoinKeys.of(getLeft(), getRight(), getCondition());
  }
}
