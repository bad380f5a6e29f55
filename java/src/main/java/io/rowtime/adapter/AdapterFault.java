package io.rowtime.adapter;

import java.lang.reflect.InvocationTargetException;
import java.nio.channels.ClosedByInterruptException;
import java.util.concurrent.Callable;

/** Whatever goes wrong in an adapter, as one line that names it. */
final class AdapterFault extends IllegalStateException {
  private static final long serialVersionUID = 1L;

  /** The fault that it tells of is not its cause: Spark ends the whole JVM where a StackOverflowError is among the causes. */
  private AdapterFault(String message, Throwable told) {
    super(message);
    setStackTrace(told.getStackTrace());
  }

  /** Runs code of an adapter's. Adapters in Python fail with the same words, see {@code rowtime.runtime.faults}. */
  static <T> T guard(String label, Callable<T> code) {
    try {
      return code.call();
    } catch (AdapterFault known) {
      throw known;
    } catch (Exception | LinkageError | AssertionError | StackOverflowError e) {
      Throwable cause = e instanceof InvocationTargetException && e.getCause() != null ? e.getCause() : e;
      if (cause instanceof InterruptedException || cause instanceof ClosedByInterruptException) {
        // Spark knows by its class that the query is being stopped.
        throw AdapterFault.<RuntimeException>unchecked(cause);
      }
      throw new AdapterFault("Adapter '" + label + "' failed: " + reason(cause), cause);
    }
  }

  static String reason(Throwable cause) {
    String message = cause.getMessage();
    String said = cause.getClass().getSimpleName() + (message == null ? "" : ": " + message);
    return said.strip().replaceAll("\\s+", " ");
  }

  /** Throws a fault as it is, whether it is declared or not. */
  @SuppressWarnings("unchecked")
  static <E extends Throwable> E unchecked(Throwable fault) throws E {
    throw (E) fault;
  }
}
