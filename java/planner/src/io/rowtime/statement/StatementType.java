package io.rowtime.statement;

import java.util.Locale;

/** What a statement is: for each, Python has a type with its fields. */
enum StatementType {
  /** A query. */
  SELECT,
  /** Rows for a stream or table. */
  INSERT,
  /** UPDATE, DELETE and MERGE. */
  CHANGE,
  /** Changes the catalog. */
  DEFINITION,
  SHOW,
  DESCRIBE,
  /** Shows what another statement would do. */
  EXPLAIN;

  /** Returns the word for it in the planner's reply. */
  String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
