package io.rowtime.aggregate;

import io.rowtime.table.SharedTable;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * An aggregate or analytic function, from the table that the translator also reads ({@code aggregate_functions.json} of
 * the Python package).
 *
 * @param name its name in the plan
 * @param operator the name of the function in rowtime's operators; null if they do not compute it
 * @param mergedBy the function that merges the results over two sets of rows into the result over both; null if there
 *     is none
 * @param parts the functions that are computed instead; usually empty
 * @param keeps the state that is needed to update the result with more rows
 * @param removable whether the state is enough to take the earliest row of a frame back, and, of functions in groups of a stream, any
 *     row; if not, all rows are kept
 * @param repeats whether duplicate values matter
 * @param distinctOfSet whether its DISTINCT can be computed from a set of values
 * @param skipsNulls whether rows whose first argument is NULL are ignored
 * @param running whether the value of a frame can change with each further row
 * @param reads the rows that its OVER reads
 * @param peers how its OVER treats rows that are equal in the ORDER BY
 * @param constant the argument that must be the same for all rows; null if there is none
 * @param uses where it can be computed
 */
public record AggregateFunction(String name, String operator, String mergedBy, List<String> parts, Keeps keeps, boolean removable,
    boolean repeats, boolean distinctOfSet, boolean skipsNulls, boolean running, Reads reads, Peers peers, Constant constant, Set<Use> uses) {
  /** A fixed amount, all values, or nothing (for GROUPING, which depends only on the grouping set). */
  public enum Keeps { TOTAL, VALUES, NOTHING }

  /**
   * The rows of the frame; or, whatever the frame is, the rows up to the current row, an earlier or later row, or the
   * whole partition.
   */
  public enum Reads { FRAME, BEFORE, EARLIER, LATER, PARTITION }

  /** Their order does not matter, it matters, or all of them have the same result. */
  public enum Peers { ANY_ORDER, IN_ORDER, SAME }

  /** A number of rows, a fraction of them, or the separator between values. */
  public enum Constant { NUMBER, FRACTION, SEPARATOR }

  /** In groups by Spark, in groups of a stream by rowtime's operator, over history by Spark, and over a stream. */
  public enum Use { GROUP_BY, GROUP_STREAM, OVER_RELATION, OVER_STREAM }

  private static final Map<String, AggregateFunction> TABLE = read();

  /** Returns the function with that name in the plan; null if nothing computes it. */
  public static AggregateFunction named(String name) {
    return TABLE.get(name);
  }

  /** Returns whether there is a function of that name that can be computed in that place. */
  public static boolean runs(String name, Use use) {
    AggregateFunction function = named(name);
    return function != null && function.uses.contains(use);
  }

  /** Returns the rows that the OVER of the named function reads; the frame if nothing computes it. */
  public static Reads reads(String name) {
    AggregateFunction function = named(name);
    return function == null ? Reads.FRAME : function.reads;
  }

  /** Returns whether the function of that name ignores rows whose first argument is NULL. */
  public static boolean skipsNulls(String name) {
    AggregateFunction function = named(name);
    return function != null && function.skipsNulls;
  }

  /** Returns whether the value of the function of that name over a frame can change with each further row. */
  public static boolean isRunning(String name) {
    AggregateFunction function = named(name);
    return function != null && function.running;
  }

  /** Returns whether the function of that name keeps all values of its frame. */
  public static boolean keepsFrame(String name) {
    AggregateFunction function = named(name);
    return function != null && function.reads == Reads.FRAME && function.keeps == Keeps.VALUES;
  }

  /**
   * Returns whether the named function reads a frame, and depends on the order of rows that are equal in the ORDER BY.
   */
  public static boolean inOrder(String name) {
    AggregateFunction function = named(name);
    return function != null && function.reads == Reads.FRAME && function.peers == Peers.IN_ORDER;
  }

  /** Returns the argument of the named function that must be the same for all rows; null if there is none. */
  public static Constant constant(String name) {
    AggregateFunction function = named(name);
    return function == null ? null : function.constant;
  }

  /** Returns whether the result can be computed from partial results of the function or its parts. */
  public boolean merges() {
    return mergedBy != null || !parts.isEmpty() && parts.stream().allMatch(part -> named(part).merges());
  }

  private static Map<String, AggregateFunction> read() {
    return SharedTable.read(AggregateFunction.class, "aggregate_functions.json", AggregateFunction[].class).stream()
        .collect(Collectors.toUnmodifiableMap(AggregateFunction::name, Function.identity()));
  }
}
