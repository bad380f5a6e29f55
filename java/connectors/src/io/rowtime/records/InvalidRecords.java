package io.rowtime.records;

import io.rowtime.files.JsonLines;
import io.rowtime.files.SideFiles;
import io.rowtime.limits.Limits;
import io.rowtime.limits.Texts;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.UUID;
import org.apache.spark.TaskContext;

/**
 * Sets invalid records aside: one file of JSON lines for each piece of input that has some, in one folder per query.
 *
 * <p>The file's name contains the batch, the piece of input and the number of invalid records. A batch that runs again,
 * or a second scan of the same input in one query, writes the same file again, so that each invalid record counts once.
 * Two scans may read the same piece of a file in different batches: the names {@code <batch>-piece-<piece>-<count>.jsonl}
 * of both then differ only in the batch.
 *
 * <p>Only the beginning is kept of a record that is longer than the limit. All are counted; when those of a piece of
 * input exceed {@link Limits#ASIDE_CHARACTERS}, the last line of the file contains the number of the others.
 */
final class InvalidRecords {
  /** Binary records are written in hex. */
  private static final int MAX_LENGTH = 2 * Limits.RECORD_BYTES;

  private final String folder;
  private final String file;
  private final long start;
  private final boolean isRecognized;
  private final JsonLines lines = new JsonLines();
  private long kept;
  private long more;

  /**
   * @param start the offset in {@code file} at which this piece starts
   * @param isRecognized whether file and offset identify the piece in all batches
   */
  InvalidRecords(String folder, String file, long start, boolean isRecognized) {
    this.folder = folder;
    this.file = file;
    this.start = start;
    this.isRecognized = isRecognized;
  }

  /** @param place the record's position in {@code file}, or -1 if unknown */
  void add(String record, String reason, long place) {
    if (kept >= Limits.ASIDE_CHARACTERS) {
      more++;
      return;
    }
    String shown = Texts.printable(Texts.beginning(record, MAX_LENGTH));
    kept += shown.length() + reason.length() + file.length();
    lines.add(json -> {
      json.writeStringField("reason", Texts.printable(reason));
      json.writeStringField("record", shown);
      json.writeStringField("file", file);
      if (place >= 0) {
        json.writeNumberField("offset", place);
      }
    });
  }

  /** Writes the file, if there are any records. Must be called after the piece of input has been read. */
  void save() {
    if (lines.count() == 0) {
      return;
    }
    long count = lines.count() + more;
    if (more > 0) {
      String rest = String.format("%,d more records, which were only counted", more);
      lines.add(json -> {
        json.writeStringField("reason", rest);
        json.writeStringField("file", file);
      });
    }
    TaskContext task = TaskContext.get();
    String batch = task == null ? null : task.getLocalProperty("streaming.sql.batchId");
    UUID piece = UUID.nameUUIDFromBytes((file + '\n' + start).getBytes(StandardCharsets.UTF_8));
    String name = (batch == null ? "0" : batch) + (isRecognized ? "-piece-" : "-") + piece + "-" + count + ".jsonl";
    try {
      new SideFiles(folder).write(name, lines.toBytes());
    } catch (UncheckedIOException e) {
      throw new UncheckedIOException("Invalid records could not be written to " + folder, e.getCause());
    }
  }
}
