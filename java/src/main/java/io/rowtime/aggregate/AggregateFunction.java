package io.rowtime.aggregate;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * An aggregate or analytic function, from the table that the translator reads as well ({@code aggregate_functions.json} of the
 * Python package).
 *
 * @param name its name in the plan
 * @param operator the function as which rowtime's operators compute it; null if they do not
 * @param mergedBy the function that makes of its results over two sets of rows its result over both; null without one
 * @param parts the functions that are computed in its place; empty as a rule
 * @param keeps what has to be kept for a result that more rows will change
 * @param removable whether what is kept is enough to take a row back that came first; else each row is needed for that
 * @param repeats whether it matters that a value comes twice
 * @param distinctOfSet whether its DISTINCT can be computed of a set of values
 * @param reads which rows its OVER reads
 * @param peers how rows that ORDER BY leaves equal matter to its OVER
 * @param constant the argument that has to be the same for all rows; null without one
 * @param uses where it can be computed
 */
public record AggregateFunction(String name, String operator, String mergedBy, List<String> parts, Keeps keeps, boolean removable,
    boolean repeats, boolean distinctOfSet, Reads reads, Peers peers, Constant constant, Set<Use> uses) {
  /** A fixed amount, all values, or nothing, as of what the GROUPING SET tells. */
  public enum Keeps { TOTAL, VALUES, NOTHING }

  /** The frame; or, whatever the frame, the rows up to the row, some earlier or some later one, or all of the partition. */
  public enum Reads { FRAME, BEFORE, EARLIER, LATER, PARTITION }

  /** Their order does not matter, it does, or all of them get the same value. */
  public enum Peers { ANY_ORDER, IN_ORDER, SAME }

  /** A number of rows, a fraction of them, a text between values. */
  public enum Constant { NUMBER, FRACTION, SEPARATOR }

  /** By Spark in groups, by rowtime's operator in groups of a stream, by Spark over history, and over a stream. */
  public enum Use { GROUP_BY, GROUP_STREAM, OVER_RELATION, OVER_STREAM }

  private static final Map<String, AggregateFunction> TABLE = read();

  /** The function of that name in the plan; null if nothing computes it. */
  public static AggregateFunction named(String name) {
    return TABLE.get(name);
  }

  /** Whether there is a function of that name that can be computed there. */
  public static boolean runs(String name, Use use) {
    AggregateFunction function = named(name);
    return function != null && function.uses.contains(use);
  }

  /** Which rows the OVER of the function of that name reads; the frame where nothing computes it. */
  public static Reads reads(String name) {
    AggregateFunction function = named(name);
    return function == null ? Reads.FRAME : function.reads;
  }

  /** Whether the function of that name reads a frame, and depends on the order of rows that ORDER BY leaves equal. */
  public static boolean inOrder(String name) {
    AggregateFunction function = named(name);
    return function != null && function.reads == Reads.FRAME && function.peers == Peers.IN_ORDER;
  }

  /** The argument of the function of that name that has to be the same for all rows; null if there is none. */
  public static Constant constant(String name) {
    AggregateFunction function = named(name);
    return function == null ? null : function.constant;
  }

  /** Whether it can be computed of what it, or its parts, give for some of the rows. */
  public boolean merges() {
    return mergedBy != null || !parts.isEmpty() && parts.stream().allMatch(part -> named(part).merges());
  }

  private static Map<String, AggregateFunction> read() {
    ObjectMapper strict = new ObjectMapper().enable(DeserializationFeature.FAIL_ON_MISSING_CREATOR_PROPERTIES,
        DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES);
    try (InputStream table = AggregateFunction.class.getResourceAsStream("aggregate_functions.json")) {
      return List.of(strict.readValue(table, AggregateFunction[].class)).stream()
          .collect(Collectors.toUnmodifiableMap(AggregateFunction::name, Function.identity()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
