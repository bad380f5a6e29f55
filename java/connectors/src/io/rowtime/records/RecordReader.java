package io.rowtime.records;

import io.rowtime.avro.SchemaRegistry.RegistryFault;
import io.rowtime.limits.Limits;
import io.rowtime.limits.Texts;
import java.io.IOException;
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
import org.apache.spark.sql.catalyst.util.MapData;
import org.apache.spark.sql.types.BinaryType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.MapType;
import org.apache.spark.sql.types.StringType;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.sql.types.TimestampType;
import org.apache.spark.unsafe.types.UTF8String;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Converts records to typed rows. {@link Records#read} documents its input. */
final class RecordReader implements MapPartitionsFunction<InternalRow, InternalRow>, Serializable {
  private static final long serialVersionUID = 1L;
  private static final Logger LOG = LoggerFactory.getLogger(RecordReader.class);
  private static final UTF8String MARK = UTF8String.fromString("\ufeff");

  private final List<RecordColumn> targets;
  private final StructType input;
  private final RecordFormat layout;
  private final String badFolder;
  private final UnknownFields unknown;

  RecordReader(List<RecordColumn> targets, StructType input, RecordFormat layout, String badFolder, UnknownFields unknown) {
    this.targets = targets;
    this.input = input;
    this.layout = layout;
    this.badFolder = badFolder;
    this.unknown = unknown;
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
    private final AvroParser avro = layout.is("avro") ? new AvroParser(layout, new FieldNames(targets), unknown) : null;
    private RecordParser parser;
    private InvalidRecords bad;
    private String file;
    private long start = -1;
    private boolean atStart;
    private boolean logged;
    private InternalRow next;

    Rows(Iterator<InternalRow> records) {
      this.records = records;
    }

    @Override public boolean hasNext() {
      while (next == null && records.hasNext()) {
        InternalRow row = records.next();
        enter(row.getUTF8String(1).toString(), layout.lines() ? row.getLong(2) : 0);
        String trouble = row.isNullAt(3) ? null : row.getUTF8String(3).toString();
        next = layout.lines() ? line(row, trouble) : read(row, trouble);
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

    /** Returns the row of a line of a file; null if the line is not a record. */
    private InternalRow line(InternalRow row, String trouble) {
      // The mark of a file with a header is in the header, which is no row.
      boolean first = atStart && !header;
      atStart = false;
      if (first && trouble == null && row.getUTF8String(0).startsWith(MARK)) {
        UTF8String line = row.getUTF8String(0);
        return read(row, line.substring(1, line.numChars()), null);
      }
      return read(row, trouble);
    }

    private InternalRow read(InternalRow row, String trouble) {
      return read(row, binary || row.isNullAt(0) ? null : row.getUTF8String(0), trouble);
    }

    /**
     * @param text the record, unless it is binary
     * @param trouble the reason why it cannot be a record, if known already
     */
    private InternalRow read(InternalRow row, UTF8String text, String trouble) {
      try {
        if (trouble == null && row.isNullAt(0) && layout.is(RecordFormat.DEBEZIUM)) {
          // A tombstone, which follows the event of the deletion.
          return null;
        }
        check(row, text, trouble);
        if (avro != null) {
          avro.parse(row.getBinary(0), cells);
        } else if (!raw && !parser.parse(Utf8.decode(text), cells)) {
          return null;
        }
        Object[] values = new Object[cells.length];
        for (int i = 0; i < values.length; i++) {
          values[i] = value(row, targets.get(i), cells[i]);
        }
        return new GenericInternalRow(values);
      } catch (InvalidRecord e) {
        bad.add(forMessage(row, text), e.getMessage(), place(row));
      } catch (RegistryFault e) {
        // The record is not at fault; when the registry answers again, the query continues with it.
        throw e;
      } catch (RuntimeException | StackOverflowError e) {
        if (!logged) {
          // Log one only: there may be millions.
          logged = true;
          LOG.warn("A record of {} cannot be read", file, e);
        }
        bad.add(forMessage(row, text), "it cannot be read; see the log for details", place(row));
      }
      return null;
    }

    private void check(InternalRow row, UTF8String text, String trouble) throws InvalidRecord {
      if (trouble != null) {
        throw new InvalidRecord(trouble);
      }
      if (row.isNullAt(0)) {
        if (!raw) {
          throw new InvalidRecord("empty record");
        }
        return;
      }
      int size = text == null ? row.getBinary(0).length : text.numBytes();
      if (size > Limits.RECORD_BYTES) {
        throw new InvalidRecord(Texts.tooLong(size));
      }
    }

    private Object value(InternalRow row, RecordColumn target, String cell) throws InvalidRecord {
      int given = target.given();
      if (given < 0 || row.isNullAt(given)) {
        return Cells.read(cell, target);
      }
      DataType type = input.apply(given).dataType();
      if (type instanceof StringType) {
        return Cells.read(decode(row.getUTF8String(given), target), target);
      } else if (type instanceof TimestampType) {
        return Cells.timestamp(row.getLong(given), target);
      } else if (type instanceof MapType map) {
        check(row.getMap(given), map, target);
      }
      return InternalRow.copyValue(row.get(given, type));
    }

    /** Checks that the text values of a map, such as headers, are valid text. */
    private static void check(MapData values, MapType type, RecordColumn target) throws InvalidRecord {
      for (int i = 0; i < values.numElements(); i++) {
        if (type.keyType() instanceof StringType) {
          decode(values.keyArray().getUTF8String(i), target);
        }
        if (type.valueType() instanceof StringType && !values.valueArray().isNullAt(i)) {
          decode(values.valueArray().getUTF8String(i), target);
        }
      }
    }

    private static String decode(UTF8String text, RecordColumn target) throws InvalidRecord {
      try {
        return Utf8.decode(text);
      } catch (InvalidRecord e) {
        throw new InvalidRecord(target.name() + ": " + e.getMessage());
      }
    }

    /** Returns the record in the form in which it is set aside, cut if it is too long. */
    private String forMessage(InternalRow row, UTF8String text) {
      if (text == null && row.isNullAt(0)) {
        return "";
      }
      byte[] bytes = text == null ? row.getBinary(0) : text.getBytes();
      int length = bytes.length > Limits.RECORD_BYTES ? Limits.EXCERPT_BYTES : bytes.length;
      return text == null ? HexFormat.of().formatHex(bytes, 0, length) : new String(bytes, 0, length, StandardCharsets.UTF_8);
    }

    /** Returns the record's position in its source; unknown for lines. */
    private long place(InternalRow row) {
      return layout.lines() ? -1 : row.getLong(2);
    }

    /** A partition may contain several files, and pieces of them. */
    private void enter(String nextFile, long nextStart) {
      if (nextStart == start && Objects.equals(nextFile, file)) {
        return;
      }
      if (bad != null) {
        bad.save();
      }
      if (layout.is("json")) {
        parser = new JsonParser(new FieldNames(targets), unknown);
      } else if (layout.is("row-json")) {
        parser = new WholeRowParser(new FieldNames(targets));
      } else if (layout.is(RecordFormat.DEBEZIUM)) {
        parser = new DebeziumParser(new FieldNames(targets));
      } else if (layout.is("csv") && !Objects.equals(nextFile, file)) {
        parser = csv(nextFile);
      }
      file = nextFile;
      start = nextStart;
      atStart = nextStart == 0;
      bad = new InvalidRecords(badFolder, file, start, layout.lines());
    }

    /** The header is at the beginning of the file; for a later piece of the file it is read from there. */
    private RecordParser csv(String file) {
      try {
        String names = header
            ? TextFiles.header(new Path(URI.create(file)), SparkHadoopUtil.get().conf()) : null;
        return new CsvParser(layout.delimiter(), CsvParser.columns(names, layout.delimiter(), targets));
      } catch (InvalidRecord e) {
        String reason = e.getMessage();
        return (line, into) -> {
          throw new InvalidRecord(reason);
        };
      } catch (IOException e) {
        throw new UncheckedIOException("The file " + file + " cannot be read: " + e.getMessage(), e);
      }
    }
  }
}
