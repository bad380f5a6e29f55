package examples;

import io.rowtime.api.InputRow;
import io.rowtime.api.ProcessContext;
import io.rowtime.api.ProcessTableFunction;
import java.time.Duration;
import java.util.NoSuchElementException;

/**
 * Fails at rows whose value is below 0: with an exception, a row before its bound, a value of the wrong type, a timer
 * in the past, or a stack overflow.
 */
public final class Failing implements ProcessTableFunction {
  @Override public void process(InputRow row, ProcessContext context) {
    switch (row.get("v", Integer.class)) {
      case -1 -> throw new NoSuchElementException("no\nvalue");
      case -2 -> context.emitAt(context.rowtime().minus(Duration.ofMinutes(1)), 1);
      case -3 -> context.emit(1.5);
      case -5 -> Endless.down(0);
      case -4 -> context.setTimer("past", context.rowtime());
      default -> context.emit(row.get("v"));
    }
  }
}
