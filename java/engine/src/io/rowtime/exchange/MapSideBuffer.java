package io.rowtime.exchange;

import java.io.Serializable;
import java.util.Iterator;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.spark.TaskContext;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.util.TaskCompletionListener;

/**
 * Buffers the rows of a task before a shuffle. The code that Spark generates for a predicate adds rows one by one; each
 * task has its own copy. The results are read at the point where the rows would have been ({@link MapSideOutput}).
 */
public abstract class MapSideBuffer implements Serializable {
  private static final long serialVersionUID = 1L;
  private static final Map<String, MapSideBuffer> OF_TASKS = new ConcurrentHashMap<>();

  private final String id;

  /** @param id the id of the operator, which must be unique */
  protected MapSideBuffer(String id) {
    this.id = id;
  }

  /** Returns the buffer of this task, or null if no row has been added yet. */
  static MapSideBuffer ofTask(String id) {
    return OF_TASKS.get(name(id));
  }

  private static String name(String id) {
    TaskContext task = TaskContext.get();
    return task == null ? id : task.taskAttemptId() + " " + id;
  }

  /** Registers this as the buffer of the task; called once, before its first row. */
  protected final void register() {
    String name = name(id);
    OF_TASKS.put(name, this);
    if (TaskContext.get() != null) {
      TaskContext.get().addTaskCompletionListener((TaskCompletionListener) ended -> OF_TASKS.remove(name));
    }
  }

  /** Returns whether the buffer must be released before rows can be added. */
  public abstract boolean isFull();

  /** Returns the buffered results; there is room again when all of them have been read. */
  public abstract Iterator<InternalRow> release();
}
