package io.rowtime.records;

/** Parses JSON objects, each of which is the PAYLOAD of a changelog as a whole; its fields fill columns of their names too. */
final class WholeRowParser implements RecordParser {
  private final RecordParser fields;
  private final int payload;

  WholeRowParser(FieldNames names) {
    fields = new JsonParser(names, null);
    payload = names.indexOf("PAYLOAD");
  }

  @Override public boolean parse(String line, String[] cells) throws InvalidRecord {
    fields.parse(line, cells);
    if (payload >= 0) {
      cells[payload] = line;
    }
    return true;
  }
}
