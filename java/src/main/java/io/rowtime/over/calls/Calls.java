package io.rowtime.over.calls;

import io.rowtime.over.values.ValueType;
import java.util.Set;

/** Finds the aggregate of a function. */
public final class Calls {
  private static final Set<String> SMALL = Set.of("COUNT", "SUM", "MIN", "MAX", "FIRST_VALUE", "LAST_VALUE", "NTH_VALUE",
      "ANY_VALUE", "VAR_POP", "VAR_SAMP", "STDDEV_POP", "STDDEV_SAMP", "ROW_NUMBER", "RANK", "DENSE_RANK", "LAG");

  private Calls() {}

  /** Whether a function needs no more than a few values where no row leaves its frame. */
  public static boolean isSmall(String function, boolean distinct) {
    return SMALL.contains(function) && (!distinct || function.equals("MIN") || function.equals("MAX"));
  }

  /**
   * @param column index of the argument in chunks, or -1
   * @param type the argument's type, or null
   * @param number the first constant of NTH_VALUE
   * @param removes whether rows leave the frame
   */
  public static Aggregate aggregate(String function, int column, ValueType type, ValueType result, int number,
      boolean distinct, boolean ignoreNulls, boolean removes) {
    if (distinct && !function.equals("MIN") && !function.equals("MAX")) {
      throw new UnsupportedOperationException(function + "(DISTINCT …) OVER on a stream is not supported yet");
    }
    return switch (function) {
      case "COUNT" -> new Count(column);
      case "SUM" -> sum(column, type, result);
      case "MIN", "MAX" -> new Extreme(column, type, function.equals("MAX"), removes);
      case "FIRST_VALUE", "ANY_VALUE" -> new Nth(column, type, 1, ignoreNulls, removes);
      case "NTH_VALUE" -> new Nth(column, type, number, ignoreNulls, removes);
      case "LAST_VALUE" -> new Last(column, type, ignoreNulls);
      case "VAR_POP" -> new Variance(column, false, false);
      case "VAR_SAMP" -> new Variance(column, true, false);
      case "STDDEV_POP" -> new Variance(column, false, true);
      case "STDDEV_SAMP" -> new Variance(column, true, true);
      default -> throw new UnsupportedOperationException(function + " OVER on a stream is not supported yet");
    };
  }

  private static Aggregate sum(int column, ValueType type, ValueType result) {
    return type.isFloating() ? new NumberSum(column)
        : type.isObject() ? new BigSum(column, type, result)
        : new WholeSum(column, type, result);
  }
}
