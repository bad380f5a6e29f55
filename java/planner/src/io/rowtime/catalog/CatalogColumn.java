package io.rowtime.catalog;

/**
 * A column of a catalog object.
 *
 * @param type the SQL type as text, for example {@code DECIMAL(10, 2)}
 * @param lateness constant SQL expression: how far a row may be behind the largest value; or null
 * @param watermark constant SQL expression: how long rows are held back for reordering; or null
 * @param monotonic {@code INCREASING}, {@code DECREASING} or null
 * @param defaultValue SQL expression, or null
 */
public record CatalogColumn(
    String name, String type, boolean nullable, String lateness, String watermark, String monotonic,
    String defaultValue) {

  /** Returns whether the order of this column lets a query over it make progress. */
  public boolean isOrdered() {
    return lateness != null || watermark != null || monotonic != null;
  }

  /** Returns whether its values are points in time. */
  public boolean isTime() {
    return type.startsWith("TIMESTAMP");
  }
}
