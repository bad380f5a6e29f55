package io.rowtime.records;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Serializable;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Objects;
import org.apache.hadoop.fs.Path;
import org.apache.spark.api.java.function.MapPartitionsFunction;
import org.apache.spark.deploy.SparkHadoopUtil;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;

/**
 * Makes typed rows of lines. The input's columns: the line, its file, and where in the file its piece begins; then, where
 * one column of the rows does not come from the line, its value.
 */
final class Lines implements MapPartitionsFunction<InternalRow, InternalRow>, Serializable {
  private static final long serialVersionUID = 1L;

  private final List<Target> targets;
  private final boolean json;
  private final boolean header;
  private final char delimiter;
  private final int given;
  private final String badFolder;

  /** @param given index of the column that does not come from the line, a timestamp, or -1 */
  Lines(List<Target> targets, boolean json, boolean header, char delimiter, int given, String badFolder) {
    this.targets = targets;
    this.json = json;
    this.header = header && !json;
    this.delimiter = delimiter;
    this.given = given;
    this.badFolder = badFolder;
  }

  @Override public Iterator<InternalRow> call(Iterator<InternalRow> lines) {
    return new Rows(lines);
  }

  private final class Rows implements Iterator<InternalRow> {
    private final Iterator<InternalRow> lines;
    private final String[] cells = new String[targets.size()];
    private RecordParser parser;
    private BadRecords bad;
    private String file;
    private long start = -1;
    private boolean atStart;
    private InternalRow next;

    Rows(Iterator<InternalRow> lines) {
      this.lines = lines;
    }

    @Override public boolean hasNext() {
      while (next == null && lines.hasNext()) {
        InternalRow row = lines.next();
        enter(row.getUTF8String(1).toString(), row.getLong(2));
        if (row.isNullAt(0)) {
          bad.add("", "empty record");
          continue;
        }
        String line = row.getUTF8String(0).toString();
        if (atStart) {
          atStart = false;
          line = withoutMark(line);
          if (header) {
            continue;
          }
        }
        if (!line.isBlank()) {
          next = read(line, row);
        }
      }
      if (next == null && bad != null) {
        bad.save();
        bad = null;
      }
      return next != null;
    }

    @Override public InternalRow next() {
      if (!hasNext()) {
        throw new NoSuchElementException();
      }
      InternalRow row = next;
      next = null;
      return row;
    }

    private InternalRow read(String line, InternalRow row) {
      try {
        parser.parse(line, cells);
        Object[] values = new Object[cells.length];
        for (int i = 0; i < values.length; i++) {
          values[i] = i == given ? Cells.timestamp(row.getLong(3), targets.get(i)) : Cells.read(cells[i], targets.get(i));
        }
        return new GenericInternalRow(values);
      } catch (BadRecord e) {
        bad.add(line, e.getMessage());
        return null;
      }
    }

    /** A partition may hold several files, and pieces of them. */
    private void enter(String nextFile, long nextStart) {
      if (nextStart == start && Objects.equals(nextFile, file)) {
        return;
      }
      if (bad != null) {
        bad.save();
      }
      if (json) {
        parser = new JsonParser(new FieldNames(targets));
      } else if (!Objects.equals(nextFile, file)) {
        String names = header ? firstLine(nextFile) : null;
        parser = new CsvParser(delimiter, CsvParser.columns(names, delimiter, targets));
      }
      file = nextFile;
      start = nextStart;
      atStart = nextStart == 0;
      bad = new BadRecords(badFolder, file, start);
    }
  }

  /** The header stands at the beginning of the file; a piece of the file that begins further on has to look there. */
  private static String firstLine(String file) {
    try {
      Path path = new Path(URI.create(file));
      try (BufferedReader reader = new BufferedReader(new InputStreamReader(
          path.getFileSystem(SparkHadoopUtil.get().conf()).open(path), StandardCharsets.UTF_8))) {
        String line = reader.readLine();
        return line == null ? "" : withoutMark(line);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The first line of a file without the byte order mark that some programs put before it. */
  private static String withoutMark(String line) {
    return line.startsWith("\ufeff") ? line.substring(1) : line;
  }
}
