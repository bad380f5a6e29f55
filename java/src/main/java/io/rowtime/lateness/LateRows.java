package io.rowtime.lateness;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import io.rowtime.files.SideFiles;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.BoundReference;
import org.apache.spark.sql.catalyst.expressions.Cast;
import org.apache.spark.sql.catalyst.expressions.EvalMode;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import scala.Option;

/**
 * Sets rows aside that are refused, most of them late, as JSON lines, and counts them.
 *
 * <p>The file's name says how many there are: {@code <batch>-<node>-<run>-<partition>-<count>.jsonl}. All are counted; of
 * those that one task meets in one batch the first {@value #KEPT} are kept.
 */
final class LateRows {
  static final int KEPT = 1000;
  private static final JsonFactory FACTORY = new JsonFactory();

  private final StructType schema;
  private final List<String> names;
  private ByteArrayOutputStream bytes;
  private JsonGenerator json;
  private Expression[] texts;
  private long count;

  /**
   * @param schema of the rows
   * @param names what the first columns are called
   */
  LateRows(StructType schema, List<String> names) {
    this.schema = schema;
    this.names = names;
  }

  void add(InternalRow row, String reason) {
    if (count++ >= KEPT) {
      return;
    }
    try {
      if (json == null) {
        open();
      }
      json.writeStartObject();
      json.writeStringField("reason", reason);
      json.writeObjectFieldStart("row");
      for (int i = 0; i < texts.length; i++) {
        Object text = texts[i].eval(row);
        json.writeStringField(names.get(i), text == null ? null : text.toString());
      }
      json.writeEndObject();
      json.writeEndObject();
      json.writeRaw('\n');
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Writes the file, if there is anything to write; to be called when the task has seen all its rows. */
  void save(String folder, int node, Task task) {
    if (count == 0) {
      return;
    }
    try {
      json.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    String name = String.join("-", String.valueOf(task.batch()), String.valueOf(node), task.run(),
        String.valueOf(task.partition()), String.valueOf(count)) + ".jsonl";
    new SideFiles(folder).write(name, bytes.toByteArray());
  }

  private void open() throws IOException {
    bytes = new ByteArrayOutputStream();
    json = FACTORY.createGenerator(bytes);
    json.setRootValueSeparator(null);
    texts = new Expression[names.size()];
    for (int i = 0; i < texts.length; i++) {
      texts[i] = new Cast(new BoundReference(i, schema.apply(i).dataType(), true), DataTypes.StringType,
          Option.apply("UTC"), EvalMode.TRY());
    }
  }
}
