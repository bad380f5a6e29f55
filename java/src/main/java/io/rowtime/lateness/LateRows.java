package io.rowtime.lateness;

import io.rowtime.files.JsonLines;
import io.rowtime.files.SideFiles;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.BoundReference;
import org.apache.spark.sql.catalyst.expressions.Cast;
import org.apache.spark.sql.catalyst.expressions.EvalMode;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import scala.Option;

/**
 * Sets aside refused rows, most of which are late, as JSON lines, and counts them.
 *
 * <p>The file's name contains their number: {@code <batch>-<node>-<run>-<partition>-<count>.jsonl}. All rows are
 * counted; a task keeps the first {@value #MAX_KEPT} of each batch.
 */
final class LateRows {
  static final int MAX_KEPT = 1000;

  private final StructType schema;
  private final JsonLines lines = new JsonLines();
  private Expression[] texts;
  private long count;

  /** @param schema the schema of the rows, with the user-visible column names */
  LateRows(StructType schema) {
    this.schema = schema;
  }

  void add(InternalRow row, String reason) {
    if (count++ >= MAX_KEPT) {
      return;
    }
    if (texts == null) {
      texts = texts();
    }
    lines.add(json -> {
      json.writeStringField("reason", reason);
      json.writeObjectFieldStart("row");
      for (int i = 0; i < texts.length; i++) {
        Object text = texts[i].eval(row);
        json.writeStringField(schema.apply(i).name(), text == null ? null : text.toString());
      }
      json.writeEndObject();
    });
  }

  /** Writes the file, if there are any rows. Must be called after the last row of the task. */
  void save(String folder, String node, TaskId task) {
    if (count == 0) {
      return;
    }
    String name = String.join("-", String.valueOf(task.batch()), node, task.run(),
        String.valueOf(task.partition()), String.valueOf(count)) + ".jsonl";
    new SideFiles(folder).write(name, lines.toBytes());
  }

  private Expression[] texts() {
    Expression[] casts = new Expression[schema.length()];
    for (int i = 0; i < casts.length; i++) {
      casts[i] = new Cast(new BoundReference(i, schema.apply(i).dataType(), true), DataTypes.StringType,
          Option.apply("UTC"), EvalMode.TRY());
    }
    return casts;
  }
}
