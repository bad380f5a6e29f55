package io.rowtime.plan.rel;

import java.util.List;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Aggregate;
import org.apache.calcite.rel.core.Filter;
import org.apache.calcite.rel.core.Project;
import org.apache.calcite.rel.core.Window;
import org.apache.calcite.rel.hint.HintStrategyTable;
import org.apache.calcite.rel.hint.Hintable;
import org.apache.calcite.rel.hint.RelHint;

/**
 * For how long a GROUP BY whose groups are never complete keeps a group, or a Top-N a partition: a row that is later than that after the one
 * before it in its group begins the group anew. Rewrites pass it on, as a hint of the node.
 */
public final class StateTtl {
  private static final String NAME = "rowtime.state_ttl";

  /** Calcite propagates no hint by itself: it belongs to one node. */
  public static final HintStrategyTable STRATEGIES = HintStrategyTable.builder().hintStrategy(NAME, (hint, rel) -> false).build();

  private StateTtl() {}

  /** Returns the same node with a limit in milliseconds. That of a projection is for its windows. */
  public static RelNode with(RelNode rel, long millis) {
    return ((Hintable) rel).withHints(List.of(RelHint.builder(NAME).hintOption(Long.toString(millis)).build()));
  }

  /** Returns the limit of a node in milliseconds; null if it has none. */
  public static Long of(RelNode rel) {
    if (rel instanceof TopN rows) {
      return rows.ttl();
    }
    return rel instanceof Aggregate || rel instanceof Window ? ofHint((Hintable) rel) : null;
  }

  /** Returns the limit of the windows that a projection will become, in milliseconds; null if they have none. */
  public static Long ofWindows(Project project) {
    return ofHint(project);
  }

  private static Long ofHint(Hintable rel) {
    return rel.getHints().stream().filter(hint -> hint.hintName.equals(NAME)).findFirst().map(hint -> Long.valueOf(hint.listOptions.get(0))).orElse(null);
  }

  /** Returns the GROUP BY or the Top-N whose groups can begin anew, if the rows of a node are some of its rows, or all; else null. */
  public static RelNode renewed(RelNode rel) {
    return of(rel) != null ? rel : rel instanceof Project || rel instanceof Filter ? renewed(rel.getInput(0)) : null;
  }
}
