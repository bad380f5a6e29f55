package io.rowtime.records;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Serializable;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Objects;
import org.apache.hadoop.fs.Path;
import org.apache.spark.api.java.function.MapPartitionsFunction;
import org.apache.spark.deploy.SparkHadoopUtil;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.types.BinaryType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.StringType;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.types.TimestampType;

/** Makes typed rows of records; its input is what {@link Records#read} says. */
final class RecordReader implements MapPartitionsFunction<InternalRow, InternalRow>, Serializable {
  private static final long serialVersionUID = 1L;

  private final List<Target> targets;
  private final StructType input;
  private final Layout layout;
  private final String badFolder;

  RecordReader(List<Target> targets, StructType input, Layout layout, String badFolder) {
    this.targets = targets;
    this.input = input;
    this.layout = layout;
    this.badFolder = badFolder;
  }

  @Override public Iterator<InternalRow> call(Iterator<InternalRow> records) {
    return new Rows(records);
  }

  private final class Rows implements Iterator<InternalRow> {
    private final Iterator<InternalRow> records;
    private final String[] cells = new String[targets.size()];
    private final boolean header = layout.header() && layout.lines() && layout.is("csv");
    private final boolean raw = layout.is("raw");
    private final boolean binary = input.apply(0).dataType() instanceof BinaryType;
    private final AvroParser avro = layout.is("avro") ? new AvroParser(layout, new FieldNames(targets)) : null;
    private RecordParser parser;
    private BadRecords bad;
    private String file;
    private long start = -1;
    private boolean atStart;
    private InternalRow next;

    Rows(Iterator<InternalRow> records) {
      this.records = records;
    }

    @Override public boolean hasNext() {
      while (next == null && records.hasNext()) {
        InternalRow row = records.next();
        enter(row.getUTF8String(1).toString(), layout.lines() ? row.getLong(2) : 0);
        if (row.isNullAt(0) && !raw) {
          bad.add("", "empty record", place(row));
        } else {
          next = layout.lines() ? line(row) : read(row);
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

    /** The row of a line; null where it is none. */
    private InternalRow line(InternalRow row) {
      String line = row.getUTF8String(0).toString();
      if (atStart) {
        atStart = false;
        line = withoutMark(line);
        if (header) {
          return null;
        }
      }
      return line.isBlank() ? null : read(row, line);
    }

    private InternalRow read(InternalRow row) {
      return read(row, binary || row.isNullAt(0) ? null : row.getUTF8String(0).toString());
    }

    /** @param text the record, unless it is binary */
    private InternalRow read(InternalRow row, String text) {
      try {
        if (avro != null) {
          avro.parse(row.getBinary(0), cells);
        } else if (!raw) {
          parser.parse(text, cells);
        }
        Object[] values = new Object[cells.length];
        for (int i = 0; i < values.length; i++) {
          values[i] = value(row, targets.get(i), cells[i]);
        }
        return new GenericInternalRow(values);
      } catch (BadRecord e) {
        bad.add(shown(row, text), e.getMessage(), place(row));
        return null;
      }
    }

    private Object value(InternalRow row, Target target, String cell) throws BadRecord {
      int given = target.given();
      if (given < 0 || row.isNullAt(given)) {
        return Cells.read(cell, target);
      }
      DataType type = input.apply(given).dataType();
      if (type instanceof StringType) {
        return Cells.read(row.getUTF8String(given).toString(), target);
      } else if (type instanceof TimestampType) {
        return Cells.timestamp(row.getLong(given), target);
      }
      return InternalRow.copyValue(row.get(given, type));
    }

    private String shown(InternalRow row, String text) {
      return text != null ? text : row.isNullAt(0) ? "" : HexFormat.of().formatHex(row.getBinary(0));
    }

    /** The record's place in what it is from; of lines that is not known. */
    private long place(InternalRow row) {
      return layout.lines() ? -1 : row.getLong(2);
    }

    /** A partition may hold several files, and pieces of them. */
    private void enter(String nextFile, long nextStart) {
      if (nextStart == start && Objects.equals(nextFile, file)) {
        return;
      }
      if (bad != null) {
        bad.save();
      }
      if (layout.is("json")) {
        parser = new JsonParser(new FieldNames(targets));
      } else if (layout.is("csv") && !Objects.equals(nextFile, file)) {
        String names = header ? firstLine(nextFile) : null;
        parser = new CsvParser(layout.delimiter(), CsvParser.columns(names, layout.delimiter(), targets));
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
