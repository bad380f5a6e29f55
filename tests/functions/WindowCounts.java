package examples;

import io.rowtime.api.InputRow;
import io.rowtime.api.ProcessContext;
import io.rowtime.api.ProcessTableFunction;
import io.rowtime.api.ValueState;
import java.time.Instant;

/** Emits the number of rows of a partition in each ten seconds, at their end, like a tumbling window. */
public final class WindowCounts implements ProcessTableFunction {
  private static final long SIZE = 10_000;

  @Override public void process(InputRow row, ProcessContext context) {
    ValueState<Long> count = context.value("count", Long.class);
    if (count.get() == null) {
      context.setTimer("end", Instant.ofEpochMilli((context.rowtime().toEpochMilli() / SIZE + 1) * SIZE));
    }
    count.set(count.orElse(0L) + 1);
  }

  @Override public void onTimer(String timer, ProcessContext context) {
    context.emit(context.value("count", Long.class).get());
    context.clear();
  }
}
