package io.rowtime.operator.process;

import io.rowtime.api.ProcessTableFunction;
import io.rowtime.functions.UserClasses;
import io.rowtime.functions.UserFaults;
import io.rowtime.operator.spec.ProcessSpec;
import io.rowtime.state.Rows;
import io.rowtime.state.values.Input;
import java.lang.reflect.InvocationTargetException;
import java.util.Map;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;

/** Runs a function in Java: calls it for one row or timer after the other. */
final class JavaProcessor implements Processor {
  /** The maximum number of timers that fire after the last row of a relation, because timers can set further timers. */
  private static final int MAX_TIMERS = 100_000;

  private final ProcessSpec spec;
  private final ProcessColumns columns;
  private final ProcessTableFunction function;
  private final JavaContext context;

  JavaProcessor(ProcessSpec spec, ProcessColumns columns, Map<String, Object> arguments) {
    this.spec = spec;
    this.columns = columns;
    this.function = load(spec.body());
    this.context = new JavaContext(columns, arguments, spec.delay());
  }

  /** @throws IllegalArgumentException if there is no such function; the message gives the reason */
  static ProcessTableFunction load(String body) {
    try {
      Class<?> type = UserClasses.named(body);
      if (!ProcessTableFunction.class.isAssignableFrom(type)) {
        throw new IllegalArgumentException("the class " + body + " does not implement " + ProcessTableFunction.class.getName());
      }
      return (ProcessTableFunction) type.getConstructor().newInstance();
    } catch (ClassNotFoundException e) {
      throw new IllegalArgumentException("there is no class " + body, e);
    } catch (InvocationTargetException e) {
      throw new IllegalArgumentException("the constructor of " + body + " throws " + UserFaults.reason(e.getCause()), e);
    } catch (ReflectiveOperationException e) {
      throw new IllegalArgumentException("the class " + body + " has no public constructor without arguments", e);
    }
  }

  @Override public Partition create() {
    return new JavaPartition(spec.stateTtl());
  }

  @Override public Partition load(Input saved) {
    return new JavaPartition(spec.stateTtl(), saved);
  }

  @Override public void process(Partition given, byte[] key, Rows rows, int[] which, int count, long bound, Emitter out) {
    JavaPartition partition = (JavaPartition) given;
    context.partition = partition;
    context.key = key;
    context.out = out;
    UnsafeRow row = rows == null ? null : rows.view();
    for (int i = 0; i < count; i++) {
      long time = rows.time(which[i]);
      fire(time);
      partition.end(time);
      context.row = rows.get(which[i], row);
      context.now = time;
      partition.latest = time;
      try {
        function.process(context, context);
      } catch (Exception | LinkageError | AssertionError | StackOverflowError e) {
        throw failure(e, "the row");
      }
    }
    fire(bound);
    partition.end(bound);
  }

  /** Fires the timers that are due at a bound, each before rows at its time are processed. */
  private void fire(long bound) {
    JavaPartition partition = context.partition;
    int fired = 0;
    for (String timer = partition.nextTimer(); timer != null && partition.timers.get(timer) <= bound; timer = partition.nextTimer()) {
      context.now = partition.timers.get(timer);
      partition.end(context.now);
      partition.timers.remove(timer);
      partition.latest = context.now;
      context.row = null;
      if (bound == Long.MAX_VALUE && ++fired > MAX_TIMERS) {
        throw failure(new IllegalStateException("more than " + MAX_TIMERS + " timers are due after the last row: probably each sets another"),
            "the timer '" + timer + "'");
      }
      try {
        function.onTimer(timer, context);
      } catch (Exception | LinkageError | AssertionError | StackOverflowError e) {
        throw failure(e, "the timer '" + timer + "'");
      }
    }
  }

  private FunctionFailure failure(Throwable cause, String what) {
    String partition = columns.describe(context.key);
    return FunctionFailure.of(spec.function(), UserFaults.reason(cause) + " (" + what + " of " + context.rowtime()
        + (partition.isEmpty() ? "" : ", " + partition) + ")", cause);
  }

  @Override public void finish() {
    context.partition = null;
    context.row = null;
  }
}
