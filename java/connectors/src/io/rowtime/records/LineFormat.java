package io.rowtime.records;

import io.rowtime.files.BoundedLines;
import io.rowtime.limits.Texts;
import java.io.Closeable;
import java.io.IOException;
import java.io.Serializable;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.compress.CompressionCodecFactory;
import org.apache.spark.TaskContext;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.GenericInternalRow;
import org.apache.spark.sql.execution.datasources.PartitionedFile;
import org.apache.spark.sql.execution.datasources.text.TextFileFormat;
import org.apache.spark.sql.sources.Filter;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.unsafe.types.UTF8String;
import org.apache.spark.util.SerializableConfiguration;
import org.apache.spark.util.TaskCompletionListener;
import scala.Function1;
import scala.Option;
import scala.collection.AbstractIterator;
import scala.collection.Iterator;
import scala.collection.immutable.Map;
import scala.collection.immutable.Seq;
import scala.runtime.AbstractFunction1;

/**
 * Reads text files with any content: a source whose rows have the columns {@code value}, a line; {@code trouble},
 * NULL or the reason why it cannot be a record; and {@code at}, the offset of its first byte, of the decompressed bytes if the
 * file is compressed. If a line is too long, {@code value} is its beginning. For a file that
 * was deleted, became shorter or cannot be decompressed further, the last row has trouble and no value.
 *
 * <p>Only lines that can be records are rows, and count as such: blank lines are passed over, and with the option
 * {@code header} the first line of each file.
 */
public final class LineFormat extends TextFileFormat {
  private static final long serialVersionUID = 1L;
  private static final StructType SCHEMA =
      new StructType().add("value", DataTypes.StringType).add("trouble", DataTypes.StringType).add("at", DataTypes.LongType);

  @Override public String shortName() {
    return "rowtime_lines";
  }

  @Override public String toString() {
    return "Lines";
  }

  @Override public Option<StructType> inferSchema(SparkSession session, Map<String, String> options, Seq<FileStatus> files) {
    return Option.apply(SCHEMA);
  }

  @Override public boolean supportDataType(DataType type) {
    return type.equals(DataTypes.LongType) || super.supportDataType(type);
  }

  @Override public boolean isSplitable(SparkSession session, Map<String, String> options, Path path) {
    return new CompressionCodecFactory(session.sparkContext().hadoopConfiguration()).getCodec(path) == null;
  }

  @Override public Function1<PartitionedFile, Iterator<InternalRow>> buildReader(SparkSession session, StructType data,
      StructType partitions, StructType wanted, Seq<Filter> filters, Map<String, String> options, Configuration settings) {
    boolean header = Boolean.parseBoolean(options.getOrElse("header", () -> "false"));
    return new Read(new SerializableConfiguration(settings), wanted.fieldNames(), header);
  }

  private static final class Read extends AbstractFunction1<PartitionedFile, Iterator<InternalRow>> implements Serializable {
    private static final long serialVersionUID = 1L;

    private final SerializableConfiguration settings;
    private final String[] wanted;
    private final boolean header;

    Read(SerializableConfiguration settings, String[] wanted, boolean header) {
      this.settings = settings;
      this.wanted = wanted;
      this.header = header;
    }

    @Override public Iterator<InternalRow> apply(PartitionedFile piece) {
      return new Rows(piece, settings.value(), wanted, header);
    }
  }

  /**
   * Returns the lines that start in a piece of a file, after its first byte: a line that starts exactly there belongs
   * to the previous piece.
   */
  private static final class Rows extends AbstractIterator<InternalRow> implements Closeable {
    private final Path path;
    private final Configuration settings;
    private final String[] wanted;
    private final long end;
    private final boolean compressed;
    private BoundedLines lines;
    private InternalRow next;
    private boolean ended;

    Rows(PartitionedFile piece, Configuration settings, String[] wanted, boolean header) {
      this.path = piece.toPath();
      this.settings = settings;
      this.wanted = wanted;
      this.end = piece.start() + piece.length();
      this.compressed = TextFiles.isCompressed(path, settings);
      TaskContext task = TaskContext.get();
      if (task != null) {
        task.addTaskCompletionListener((TaskCompletionListener) done -> close());
      }
      try {
        lines = TextFiles.open(path, settings, piece.start());
        if (piece.start() > 0 || header) {
          // The rest of a line of the previous piece, or the header.
          lines.next();
        }
      } catch (IOException e) {
        end(e);
      }
    }

    @Override public boolean hasNext() {
      while (next == null && !ended) {
        try {
          // A compressed file is a single piece, whose length says nothing about its lines.
          long at = lines.position();
          if ((compressed || at <= end) && lines.next()) {
            byte[] line = lines.line();
            if (lines.isCut()) {
              next = row(line, Texts.tooLong(lines.size()), at);
            } else if (!isBlank(line)) {
              next = row(line, null, at);
            }
          } else {
            ended = true;
            close();
          }
        } catch (IOException e) {
          end(e);
        }
      }
      return next != null;
    }

    @Override public InternalRow next() {
      if (!hasNext()) {
        throw new java.util.NoSuchElementException();
      }
      InternalRow row = next;
      next = null;
      return row;
    }

    @Override public void close() {
      if (lines != null) {
        try {
          lines.close();
        } catch (IOException e) {
          // The lines read so far are still valid.
        }
        lines = null;
      }
    }

    /**
     * Keeps the lines read so far, and adds a row with the reason why the rest is missing. If the rest may be available
     * later, the query fails instead.
     */
    private void end(IOException fault) {
      String trouble = TextFiles.trouble(path, settings, fault);
      close();
      ended = true;
      if (trouble == null) {
        throw new UncheckedIOException("The file " + path + " cannot be read: " + fault.getMessage(), fault);
      }
      next = row(null, trouble, end);
    }

    private static boolean isBlank(byte[] line) {
      for (byte at : line) {
        if (!Character.isWhitespace(at)) {
          return at < 0 && new String(line, StandardCharsets.UTF_8).isBlank();
        }
      }
      return true;
    }

    private InternalRow row(byte[] value, String trouble, long at) {
      Object[] cells = new Object[wanted.length];
      for (int i = 0; i < wanted.length; i++) {
        cells[i] = switch (wanted[i]) {
          case "value" -> value == null ? null : UTF8String.fromBytes(value);
          case "trouble" -> UTF8String.fromString(trouble);
          default -> at;
        };
      }
      return new GenericInternalRow(cells);
    }
  }
}
