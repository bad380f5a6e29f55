package io.rowtime.records;

import com.univocity.parsers.csv.CsvParserSettings;
import java.util.Arrays;
import java.util.List;

/** One CSV record a line. An empty field that is not in quotes is NULL. */
final class CsvParser implements RecordParser {
  private final com.univocity.parsers.csv.CsvParser parser;
  private final int fields;
  private final int[] columns;

  /** @param columns for each field of a line the column that it fills, or -1 */
  CsvParser(char delimiter, int[] columns) {
    this.parser = parser(delimiter);
    this.columns = columns;
    this.fields = columns.length;
  }

  /** The column that each field fills, as the header line names them; without a header, in order of the columns. */
  static int[] columns(String header, char delimiter, List<Target> targets) {
    if (header == null) {
      int[] inOrder = new int[targets.size()];
      Arrays.setAll(inOrder, i -> i);
      return inOrder;
    }
    FieldNames names = new FieldNames(targets);
    String[] found = parser(delimiter).parseLine(header);
    return found == null
        ? new int[0]
        : Arrays.stream(found).mapToInt(name -> name == null ? -1 : names.indexOf(name.strip())).toArray();
  }

  @Override public void parse(String line, String[] cells) throws BadRecord {
    Arrays.fill(cells, null);
    String[] found = parser.parseLine(line);
    int count = found == null ? 0 : found.length;
    if (count != fields) {
      throw new BadRecord("broken CSV: " + count + " fields, not " + fields);
    }
    for (int i = 0; i < fields; i++) {
      if (columns[i] >= 0) {
        cells[columns[i]] = found[i];
      }
    }
  }

  private static com.univocity.parsers.csv.CsvParser parser(char delimiter) {
    CsvParserSettings settings = new CsvParserSettings();
    settings.getFormat().setDelimiter(delimiter);
    settings.getFormat().setComment('\0');
    settings.setNullValue(null);
    settings.setEmptyValue("");
    settings.setMaxCharsPerColumn(-1);
    settings.setMaxColumns(20_480);
    settings.setReadInputOnSeparateThread(false);
    return new com.univocity.parsers.csv.CsvParser(settings);
  }
}
