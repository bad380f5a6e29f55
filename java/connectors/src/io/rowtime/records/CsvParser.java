package io.rowtime.records;

import com.univocity.parsers.common.TextParsingException;
import com.univocity.parsers.csv.CsvParserSettings;
import io.rowtime.limits.Limits;
import java.io.StringReader;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/** Parses one CSV record per line. An empty field without quotes is NULL. */
final class CsvParser implements RecordParser {
  private final char delimiter;
  private final int fields;
  private final int[] columns;
  private com.univocity.parsers.csv.CsvParser parser;

  /** @param columns for each field of a line the column that it fills, or -1 */
  CsvParser(char delimiter, int[] columns) {
    this.delimiter = delimiter;
    this.parser = parser(delimiter);
    this.columns = columns;
    this.fields = columns.length;
  }

  /**
   * Returns the column that each field fills, according to the header line; without a header, fields fill the columns
   * in order.
   */
  static int[] columns(String header, char delimiter, List<RecordColumn> targets) throws InvalidRecord {
    if (header == null) {
      return IntStream.range(0, targets.size()).filter(i -> targets.get(i).source() != null).toArray();
    }
    FieldNames names = new FieldNames(targets);
    String[] found;
    try {
      found = parser(delimiter).parseLine(header);
    } catch (TextParsingException e) {
      throw new InvalidRecord("the header of the file is " + broken(header, delimiter));
    }
    return found == null
        ? new int[0]
        : Arrays.stream(found).mapToInt(name -> name == null ? -1 : names.indexOf(name.strip())).toArray();
  }

  @Override public boolean parse(String line, String[] cells) throws InvalidRecord {
    Arrays.fill(cells, null);
    String[] found;
    try {
      found = line.indexOf('\n') < 0 && line.indexOf('\r') < 0 ? parser.parseLine(line) : only(line);
    } catch (TextParsingException e) {
      // The state of the parser is undefined after an exception.
      parser = parser(delimiter);
      throw new InvalidRecord(broken(line, delimiter));
    }
    int count = found == null ? 0 : found.length;
    if (count == 0 && fields == 1) {
      // An empty line is one empty field.
      return true;
    }
    if (count != fields) {
      throw new InvalidRecord(String.format("broken CSV: %,d fields, not %,d", count, fields));
    }
    for (int i = 0; i < fields; i++) {
      if (columns[i] >= 0) {
        cells[columns[i]] = found[i];
      }
    }
    return true;
  }

  /** Returns the record of a text with line ends, which must be in quotes or at its end. */
  private String[] only(String text) throws InvalidRecord {
    parser.beginParsing(new StringReader(text));
    try {
      String[] first = parser.parseNext();
      if (first != null && parser.parseNext() != null) {
        throw new InvalidRecord("broken CSV: more than one line");
      }
      return first;
    } finally {
      parser.stopParsing();
    }
  }

  private static String broken(String line, char delimiter) {
    long fields = 1 + line.chars().filter(c -> c == delimiter).count();
    return fields > Limits.CSV_FIELDS ? String.format("broken CSV: more than %,d fields", Limits.CSV_FIELDS)
        : "broken CSV: the line cannot be parsed";
  }

  private static com.univocity.parsers.csv.CsvParser parser(char delimiter) {
    CsvParserSettings settings = new CsvParserSettings();
    settings.getFormat().setDelimiter(delimiter);
    settings.setCommentProcessingEnabled(false);
    settings.setSkipBitsAsWhitespace(false);
    settings.setNullValue(null);
    settings.setEmptyValue("");
    settings.setMaxCharsPerColumn(-1);
    settings.setMaxColumns(Limits.CSV_FIELDS);
    settings.setReadInputOnSeparateThread(false);
    return new com.univocity.parsers.csv.CsvParser(settings);
  }
}
