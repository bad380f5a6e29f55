package io.rowtime.lateness;

import io.rowtime.files.JsonLines;
import io.rowtime.files.SideFiles;
import io.rowtime.spark.RowTexts;
import java.util.Map;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.types.StructType;

/**
 * Sets aside refused rows, most of which are late, as JSON lines, and counts them.
 *
 * <p>The file's name contains their number: {@code <batch>-<node>-<run>-<partition>-<count>.jsonl}. All rows are
 * counted; a task keeps the first {@value #MAX_KEPT} of each batch. A batch that is run again has all rows of its earlier
 * runs, perhaps in other partitions, so their files are deleted as soon as it has one of its own.
 */
public final class LateRows {
  public static final int MAX_KEPT = 1000;

  private final StructType schema;
  private final JsonLines lines = new JsonLines();
  private RowTexts texts;
  private long count;

  /** @param schema the schema of the rows, with the user-visible column names */
  public LateRows(StructType schema) {
    this.schema = schema;
  }

  public void add(InternalRow row, String reason) {
    if (count++ >= MAX_KEPT) {
      return;
    }
    if (texts == null) {
      texts = new RowTexts(schema);
    }
    lines.add(json -> {
      json.writeStringField("reason", reason);
      json.writeObjectFieldStart("row");
      for (Map.Entry<String, String> value : texts.of(row).entrySet()) {
        json.writeStringField(value.getKey(), value.getValue());
      }
      json.writeEndObject();
    });
  }

  /** Writes the file, if there are any rows. Must be called after the last row of the task. */
  public void save(String folder, String node, TaskId task) {
    if (count == 0) {
      return;
    }
    String batch = task.batch() + "-" + node + "-";
    String run = batch + task.run() + "-";
    SideFiles files = new SideFiles(folder);
    files.write(run + task.partition() + "-" + count + ".jsonl", lines.toBytes());
    files.names().stream().filter(name -> name.startsWith(batch) && !name.startsWith(run)).forEach(files::delete);
  }
}
