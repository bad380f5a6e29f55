package io.rowtime.adapter;

import io.rowtime.functions.UserFaults;
import io.rowtime.spark.Rethrown;
import java.lang.reflect.InvocationTargetException;
import java.nio.channels.ClosedByInterruptException;
import java.util.concurrent.Callable;

/** A failure of an adapter, as a one-line message that names the adapter. */
final class AdapterFault extends IllegalStateException {
  private static final long serialVersionUID = 1L;

  private AdapterFault(String message) {
    super(message);
  }

  /** Runs code of an adapter. Adapters in Python fail with the same messages, see {@code rowtime.runtime.faults}. */
  static <T> T guard(String label, Callable<T> code) {
    try {
      return code.call();
    } catch (AdapterFault known) {
      throw known;
    } catch (Exception | LinkageError | AssertionError | StackOverflowError e) {
      Throwable cause = e instanceof InvocationTargetException && e.getCause() != null ? e.getCause() : e;
      if (cause instanceof InterruptedException || cause instanceof ClosedByInterruptException) {
        // Spark recognizes by its class that the query is being stopped.
        throw Rethrown.unchanged(cause);
      }
      throw UserFaults.at(new AdapterFault("Adapter '" + label + "' failed: " + reason(cause)), cause);
    }
  }

  static String reason(Throwable cause) {
    return UserFaults.reason(cause).strip().replaceAll("\\s+", " ");
  }
}
