package io.rowtime.records;

/** Thrown for a record that is not a valid row. Users see the message. */
final class InvalidRecord extends Exception {
  private static final long serialVersionUID = 1L;

  InvalidRecord(String reason) {
    super(reason, null, false, false);
  }
}
