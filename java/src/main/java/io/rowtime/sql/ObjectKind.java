package io.rowtime.sql;

import java.util.Locale;

/** What the catalog holds. */
public enum ObjectKind {
  STREAM,
  FOREIGN_STREAM,
  TABLE,
  FOREIGN_TABLE,
  VIEW,
  PUMP,
  FUNCTION;

  /** The keywords: {@code FOREIGN STREAM}. */
  public String sql() {
    return name().replace('_', ' ');
  }

  /** The keywords after SHOW: {@code FOREIGN STREAMS}. */
  public String plural() {
    return sql() + "S";
  }

  /** The kind as a sentence names it: {@code foreign stream}. */
  public String text() {
    return sql().toLowerCase(Locale.ROOT);
  }

  public boolean isStream() {
    return this == STREAM || this == FOREIGN_STREAM;
  }

  public boolean isForeign() {
    return this == FOREIGN_STREAM || this == FOREIGN_TABLE;
  }
}
