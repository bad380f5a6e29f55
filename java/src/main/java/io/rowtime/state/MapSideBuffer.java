package io.rowtime.state;

import java.io.Serializable;
import java.util.Iterator;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.spark.TaskContext;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.util.TaskCompletionListener;

/**
 * The rows that a task has before a shuffle. They come in one by one from the code that Spark generates for a condition; each
 * task has a copy of its own. What has become of them is taken out where the rows would go on to ({@link MapSideOutput}).
 */
public abstract class MapSideBuffer implements Serializable {
  private static final long serialVersionUID = 1L;
  private static final Map<String, MapSideBuffer> OF_TASKS = new ConcurrentHashMap<>();

  private final String id;

  /** @param id of the operator, unlike that of any other */
  protected MapSideBuffer(String id) {
    this.id = id;
  }

  /** The buffer of this task that rows have come into, or null if none has. */
  static MapSideBuffer ofTask(String id) {
    return OF_TASKS.get(name(id));
  }

  private static String name(String id) {
    TaskContext task = TaskContext.get();
    return task == null ? id : task.taskAttemptId() + " " + id;
  }

  /** Makes this the buffer of the task; once, before its first row. */
  protected final void register() {
    String name = name(id);
    OF_TASKS.put(name, this);
    if (TaskContext.get() != null) {
      TaskContext.get().addTaskCompletionListener((TaskCompletionListener) ended -> OF_TASKS.remove(name));
    }
  }

  /** Whether what has come in has to be released before more can. */
  public abstract boolean isFull();

  /** What the rows have become that have come in; there is room again once all has been taken. */
  public abstract Iterator<InternalRow> release();
}
