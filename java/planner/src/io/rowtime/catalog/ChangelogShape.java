package io.rowtime.catalog;

import java.util.List;
import java.util.regex.Pattern;

/** The columns of a changelog: the kind of a change, and the row. */
public final class ChangelogShape {
  public static final String OP = "OP";
  public static final String PAYLOAD = "PAYLOAD";
  private static final Pattern INTEGER = Pattern.compile("TINYINT|SMALLINT|INTEGER|BIGINT");

  private ChangelogShape() {}

  /** Returns whether columns are those of a changelog, besides any others. */
  public static boolean isOf(List<CatalogColumn> columns) {
    return columns.stream().anyMatch(column -> column.name().equals(OP) && INTEGER.matcher(column.type()).matches())
        && columns.stream().anyMatch(column -> column.name().equals(PAYLOAD) && column.type().startsWith("ROW("));
  }
}
