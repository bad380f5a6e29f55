package io.rowtime.state;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.function.Supplier;
import org.apache.spark.sql.internal.SQLConf;
import org.apache.spark.sql.streaming.StatefulProcessorHandle;
import scala.runtime.AbstractFunction0;

/**
 * Opens the state of a task without generated code. Spark makes encoders of state anew for each task of each
 * micro-batch, and generates the text of their code, which takes longer than the work of a small batch; an operator uses
 * them for a few large values. What they write is the same.
 */
final class InterpretedEncoders {
  private static final String TIMERS = "timerState";

  private InterpretedEncoders() {}

  /** Runs code that makes encoders. */
  static <T> T within(Supplier<T> made) {
    SQLConf settings = new SQLConf();
    settings.settings().putAll(SQLConf.get().settings());
    settings.setConfString(SQLConf.CODEGEN_FACTORY_MODE().key(), "NO_CODEGEN");
    return SQLConf.withExistingConf(settings, new AbstractFunction0<T>() {
      @Override public T apply() {
        return made.get();
      }
    });
  }

  /**
   * Opens the state of timers, which Spark otherwise does when it looks for timers that are due. Does nothing if this
   * version of Spark has another form of it.
   */
  static void openTimers(StatefulProcessorHandle handle) {
    try {
      Method timers = handle.getClass().getDeclaredMethod(TIMERS);
      timers.setAccessible(true);
      within(() -> invoke(timers, handle));
    } catch (NoSuchMethodException e) {
      // Spark opens it.
    }
  }

  private static Object invoke(Method method, Object on) {
    try {
      return method.invoke(on);
    } catch (IllegalAccessException e) {
      throw new IllegalStateException(e);
    } catch (InvocationTargetException e) {
      throw e.getCause() instanceof RuntimeException cause ? cause : new IllegalStateException(e.getCause());
    }
  }
}
