package io.rowtime.sql;

import java.util.Locale;

/** The kinds of objects in the catalog. */
public enum ObjectKind {
  STREAM,
  FOREIGN_STREAM,
  TABLE,
  FOREIGN_TABLE,
  VIEW,
  MATERIALIZED_VIEW,
  PUMP,
  FUNCTION;

  /** Returns the keywords: {@code FOREIGN STREAM}. */
  public String sql() {
    return name().replace('_', ' ');
  }

  /** Returns the keywords after SHOW: {@code FOREIGN STREAMS}. */
  public String plural() {
    return sql() + "S";
  }

  /** Returns the kind for use in a sentence: {@code foreign stream}. */
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
