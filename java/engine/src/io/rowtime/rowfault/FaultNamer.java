package io.rowtime.rowfault;

import io.rowtime.spark.RowTexts;
import java.io.Serializable;
import java.util.Map;
import org.apache.spark.TaskContext;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.types.StructType;

/**
 * Names the rows for which an expression has no value.
 *
 * @param expression its text
 * @param source the stream of the rows; null if they are computed from several rows
 * @param shown the columns that are named; one under the name {@link #POSITION} is the position of the row in its stream
 */
public record FaultNamer(String expression, String source, StructType shown) implements Serializable {
  static final String POSITION = "$position";

  /** Returns whether the error says nothing of the row: it names one already, or the task has been stopped. */
  public boolean isNoFault(RuntimeException error) {
    return error instanceof RowFault || isStopped();
  }

  /** Returns whether the task has been stopped, which ends computations by an error. */
  static boolean isStopped() {
    TaskContext task = TaskContext.get();
    return Thread.currentThread().isInterrupted() || task != null && task.isInterrupted();
  }

  public RowFault named(RuntimeException error, InternalRow row) {
    Map<String, String> values = new RowTexts(shown).of(row);
    String position = values.remove(POSITION);
    if (position != null && shown.apply(POSITION).dataType() instanceof StructType type) {
      position = Position.text(row.getStruct(shown.fieldIndex(POSITION), type.length()), type);
    }
    return new RowFault(expression, source, position, values, error);
  }
}
