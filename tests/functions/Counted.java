package examples;

import io.rowtime.api.InputRow;
import io.rowtime.api.ProcessContext;
import io.rowtime.api.ProcessTableFunction;
import io.rowtime.api.ValueState;

/** Emits each n-th row of a partition, with the number of rows so far. */
public final class Counted implements ProcessTableFunction {
  @Override public void process(InputRow row, ProcessContext context) {
    ValueState<Long> count = context.value("count", Long.class);
    long n = count.orElse(0L) + 1;
    count.set(n);
    if (n % context.argument("every_n", Integer.class) == 0) {
      context.emit(n, row.get("v"));
    }
  }
}
