package io.rowtime.plan.node;

import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * What has been decided about a node within its plan.
 *
 * @param id its number, from the sources to the result
 * @param changes how its rows change earlier ones
 * @param needs what it requires of the engine
 * @param sorted whether its rows have the order of an ORDER BY
 * @param inOrder when no micro-batch has a ROWTIME before those of earlier ones
 * @param ordersHold when the columns are in the order that is claimed of them
 * @param unique which of its rows are unique
 * @param arrivals how rows arrive: at each input of a join, at each pass of OVER, or at the only input; null for a relation that has no
 *     arrival; empty for an operator without one
 * @param reads the columns that it reads of each input; a scan, of its source
 * @param stored the order in which its state has columns: that of their meaning
 * @param signature what its saved state means; null if it has none
 * @param stateName the name of what it stores in the folder of the query; null if it stores nothing there
 */
public record NodeProperties(int id, ChangeMode changes, Set<Need> needs, boolean sorted, When inOrder, When ordersHold, List<Claims.Unique> unique,
    List<Arrival.Cases> arrivals, List<List<Integer>> reads, List<List<Integer>> stored, StateSignature signature, String stateName) {

  /** How the rows of a node change earlier ones: not at all, or by retracting them. */
  public enum ChangeMode {
    APPEND, RETRACT;

    /** Returns the word for it in the plan. */
    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** What a node requires of the engine. */
  public enum Need {
    /** The clock of the sources. Without it, rows that are held back would never be emitted. */
    WATERMARK,
    /** The state store of rowtime's own operators. */
    STATE_STORE,
    /** Rows in order across micro-batches, for operators whose progress the watermark does not show. */
    ORDER
  }

  /** When something holds: always, if the rows of the result must be in order, or never. */
  public enum When { ALWAYS, ORDERED, NEVER }
}
