package io.rowtime.rowfault;

import io.rowtime.lateness.LateRows;
import io.rowtime.lateness.TaskId;
import java.io.Serializable;
import java.util.List;
import java.util.regex.Pattern;
import org.apache.spark.TaskContext;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.types.StructType;

/**
 * Sets aside the rows for which an expression has no value. Each task has its own copy, which opens with its first row,
 * and writes the rows when the task ends.
 */
public final class FaultyRows implements Serializable {
  private static final long serialVersionUID = 1L;
  /** What Spark says besides what happened: the way out by functions of its own, and a number. */
  private static final Pattern ADVICE = Pattern.compile("[.]?\\s*(?:Correct the value|Use `\\w+`|If necessary|To (?:return|tolerate)|SQLSTATE:).*");
  private static final Pattern CONDITION = Pattern.compile("^\\[([A-Z_.0-9]+)\\] ");

  private final List<String> expressions;
  private final StructType shown;
  private final String folder;
  private final String node;
  private transient LateRows rows;

  /**
   * Creates it for the rows of one node of a plan.
   *
   * @param expressions the texts of the expressions
   * @param shown the columns of the rows, under their user-visible names
   * @param folder the folder for the rows, as a URI
   * @param node the state name of the node
   */
  FaultyRows(List<String> expressions, StructType shown, String folder, String node) {
    this.expressions = expressions;
    this.shown = shown;
    this.folder = folder;
    this.node = node;
  }

  /** Must be called first for each row. */
  public void arrive() {
    if (rows == null) {
      TaskContext context = TaskContext.get();
      TaskId task = TaskId.of(context);
      rows = new LateRows(shown);
      context.addTaskCompletionListener(ended -> {
        if (!ended.isFailed() && !ended.isInterrupted()) {
          rows.save(folder, node, task);
        }
      });
    }
  }

  /** Sets a row aside for which an expression has failed. An error is thrown again if it says nothing of the row. */
  public void refuse(int expression, RuntimeException error, InternalRow row) {
    if (FaultNamer.isStopped()) {
      throw error;
    }
    rows.add(row, expressions.get(expression) + ": " + reason(error));
  }

  static String reason(RuntimeException error) {
    String said = ADVICE.matcher(String.valueOf(error.getMessage()).lines().findFirst().orElse("")).replaceFirst("");
    return CONDITION.matcher(said).replaceFirst("");
  }
}
