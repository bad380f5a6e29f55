package io.rowtime.records;

/** Splits one record into its fields. */
interface RecordParser {
  /**
   * Stores the text of each column's field in {@code cells}, or null if there is none.
   *
   * @return false if the record is valid, and is no row
   */
  boolean parse(String line, String[] cells) throws InvalidRecord;
}
