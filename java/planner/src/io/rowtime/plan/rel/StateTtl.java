package io.rowtime.plan.rel;

import java.util.List;
import java.util.stream.Stream;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Aggregate;
import org.apache.calcite.rel.core.Filter;
import org.apache.calcite.rel.core.Project;
import org.apache.calcite.rel.hint.HintStrategyTable;
import org.apache.calcite.rel.hint.Hintable;
import org.apache.calcite.rel.hint.RelHint;

/**
 * For how long a GROUP BY whose groups are never complete keeps a group: a row that is later than that after the one before it in its
 * group begins the group anew. Rewrites pass it on, as a hint of the node.
 */
public final class StateTtl {
  private static final String NAME = "rowtime.state_ttl";

  /** Calcite propagates no hint by itself: it belongs to one node. */
  public static final HintStrategyTable STRATEGIES = HintStrategyTable.builder().hintStrategy(NAME, (hint, rel) -> false).build();

  private StateTtl() {}

  /** Returns the same node with a limit in milliseconds. */
  public static RelNode with(RelNode groups, long millis) {
    return ((Hintable) groups).withHints(List.of(RelHint.builder(NAME).hintOption(Long.toString(millis)).build()));
  }

  /** Returns the limit of a node in milliseconds; null if it has none. */
  public static Long of(RelNode rel) {
    Stream<RelHint> hints = rel instanceof Aggregate aggregate ? aggregate.getHints().stream() : Stream.empty();
    return hints.filter(hint -> hint.hintName.equals(NAME)).findFirst().map(hint -> Long.valueOf(hint.listOptions.get(0))).orElse(null);
  }

  /** Returns whether the groups of a node, or of one that it only projects, can begin anew. */
  public static boolean renews(RelNode rel) {
    return of(rel) != null || rel instanceof Project project && renews(project.getInput());
  }

  /** Returns whether the rows of a node are some of groups that can begin anew, or all. */
  public static boolean mayRenew(RelNode rel) {
    return of(rel) != null || (rel instanceof Project || rel instanceof Filter) && mayRenew(rel.getInput(0));
  }
}
