package io.rowtime.records;

import com.univocity.parsers.csv.CsvParserSettings;
import java.io.StringReader;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

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
      return IntStream.range(0, targets.size()).filter(i -> targets.get(i).source() != null).toArray();
    }
    FieldNames names = new FieldNames(targets);
    String[] found = parser(delimiter).parseLine(header);
    return found == null
        ? new int[0]
        : Arrays.stream(found).mapToInt(name -> name == null ? -1 : names.indexOf(name.strip())).toArray();
  }

  @Override public void parse(String line, String[] cells) throws BadRecord {
    Arrays.fill(cells, null);
    String[] found = line.indexOf('\n') < 0 && line.indexOf('\r') < 0 ? parser.parseLine(line) : only(line);
    int count = found == null ? 0 : found.length;
    if (count == 0 && fields == 1) {
      // Nothing at all is one empty field.
      return;
    }
    if (count != fields) {
      throw new BadRecord("broken CSV: " + count + " fields, not " + fields);
    }
    for (int i = 0; i < fields; i++) {
      if (columns[i] >= 0) {
        cells[columns[i]] = found[i];
      }
    }
  }

  /** The record of a text with ends of lines, which belong into quotes or to its end. */
  private String[] only(String text) throws BadRecord {
    List<String[]> found = parser.parseAll(new StringReader(text));
    if (found.size() > 1) {
      throw new BadRecord("broken CSV: " + found.size() + " lines");
    }
    return found.isEmpty() ? null : found.get(0);
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
