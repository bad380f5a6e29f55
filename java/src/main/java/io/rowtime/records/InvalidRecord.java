package io.rowtime.records;

/** A record that is no valid row. Users read the message. */
final class InvalidRecord extends Exception {
  private static final long serialVersionUID = 1L;

  InvalidRecord(String reason) {
    super(reason, null, false, false);
  }
}
