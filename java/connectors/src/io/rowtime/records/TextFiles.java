package io.rowtime.records;

import io.rowtime.files.BoundedLines;
import io.rowtime.limits.Texts;
import java.io.EOFException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.util.zip.ZipException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.ChecksumException;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.compress.CompressionCodec;
import org.apache.hadoop.io.compress.CompressionCodecFactory;

/** Opens files of lines, possibly compressed, and classifies their errors. */
final class TextFiles {
  private TextFiles() {}

  static boolean isCompressed(Path path, Configuration settings) {
    return codec(path, settings) != null;
  }

  /** Returns the lines of a file; of an uncompressed one, starting at an offset. */
  static BoundedLines open(Path path, Configuration settings, long start) throws IOException {
    FSDataInputStream file = path.getFileSystem(settings).open(path);
    try {
      CompressionCodec codec = codec(path, settings);
      InputStream in = file;
      if (codec != null) {
        in = codec.createInputStream(file);
      } else if (start > 0) {
        file.seek(start);
      }
      return new BoundedLines(in, codec == null ? start : 0);
    } catch (IOException | RuntimeException e) {
      file.close();
      throw e;
    }
  }

  /** Returns the first line of a file, which names the CSV fields. Throws InvalidRecord if it cannot be read. */
  static String header(Path path, Configuration settings) throws IOException, InvalidRecord {
    try (BoundedLines lines = open(path, settings, 0)) {
      if (!lines.next()) {
        return "";
      }
      if (lines.isCut()) {
        throw new InvalidRecord("the header is " + Texts.tooLong(lines.size()));
      }
      return Utf8.withoutMark(Utf8.decode(lines.line()));
    } catch (IOException e) {
      String trouble = trouble(path, settings, e);
      if (trouble == null) {
        throw e;
      }
      throw new InvalidRecord(trouble);
    }
  }

  /**
   * Returns why a file can never be read; null if the error may be temporary, for example a disk that does not answer.
   */
  static String trouble(Path path, Configuration settings, IOException fault) {
    if (fault instanceof FileNotFoundException) {
      try {
        FileSystem files = path.getFileSystem(settings);
        return files.exists(path) ? null : "the file was deleted after it was listed";
      } catch (IOException e) {
        return null;
      }
    }
    if (isCompressed(path, settings) && (fault instanceof ZipException || fault instanceof EOFException
        || fault.getClass() == IOException.class)) {
      return "the file is damaged: it cannot be decompressed" + (fault instanceof EOFException ? " to its end" : " from here on");
    }
    if (fault instanceof EOFException) {
      return "the file was truncated after it was listed";
    }
    return fault instanceof ChecksumException ? "the file is damaged: its checksum does not match" : null;
  }

  private static CompressionCodec codec(Path path, Configuration settings) {
    return new CompressionCodecFactory(settings).getCodec(path);
  }
}
