package io.rowtime.adapter;

import io.rowtime.functions.UserFaults;
import java.lang.reflect.InvocationTargetException;
import java.nio.channels.ClosedByInterruptException;
import java.util.concurrent.Callable;

/** Whatever goes wrong in an adapter, as one line that names it. */
final class AdapterFault extends IllegalStateException {
  private static final long serialVersionUID = 1L;

  private AdapterFault(String message) {
    super(message);
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
      throw UserFaults.at(new AdapterFault("Adapter '" + label + "' failed: " + reason(cause)), cause);
    }
  }

  static String reason(Throwable cause) {
    return UserFaults.reason(cause).strip().replaceAll("\\s+", " ");
  }

  /** Throws a fault as it is, whether it is declared or not. */
  @SuppressWarnings("unchecked")
  static <E extends Throwable> RuntimeException unchecked(Throwable fault) throws E {
    throw (E) fault;
  }
}
