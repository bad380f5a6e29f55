package io.rowtime.records;

/** Why a record is not a row; the message is what a user reads. */
final class BadRecord extends Exception {
  private static final long serialVersionUID = 1L;

  BadRecord(String reason) {
    super(reason, null, false, false);
  }
}
