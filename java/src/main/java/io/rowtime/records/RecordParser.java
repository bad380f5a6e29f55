package io.rowtime.records;

/** Takes the fields of one line apart. */
interface RecordParser {
  /** Puts the text of each column's field into {@code cells}, null if there is none. */
  void parse(String line, String[] cells) throws InvalidRecord;
}
